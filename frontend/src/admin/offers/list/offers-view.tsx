// The view of all offers by state, the declined ones with their reasons; their values together, and
// a search.
import { useEffect, useRef } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { Offer, OfferPage } from '../../../api/offers';
import { Button, ButtonLink } from '../../../ui/button';
import { formatDeskUrl } from '../../requests/desk-url';
import { dateTime, services } from '../../requests/format';
import { useAuth } from '../../session/provider';
import { usePeople } from '../../state/use-system';
import { FormAlert } from '../../ui/auth-card';
import { Heading } from '../../ui/heading';
import { useCurrentInView } from '../../ui/use-current-in-view';
import { Waiting } from '../../ui/waiting';
import { badgeOf, dollars, endText, stateText, valueText } from '../words';
import { OfferChips, OfferFilters } from './offer-filters';
import { formatOffersUrl, type OffersUrl, parseOffersUrl, type View, views } from './offers-url';
import { useOfferList } from './use-offer-list';

const empty: Record<View, string> = {
  waiting: 'No offer waits for an answer.',
  expiring: 'No offer expires soon.',
  accepted: 'No offer was accepted yet.',
  unconfirmed: 'Every accepted offer is confirmed.',
  declined: 'No offer was declined.',
  expired: 'No offer has expired.',
  withdrawn: 'No offer was withdrawn.',
  draft: 'There are no drafts.',
  all: 'There are no offers yet.',
};

/** Milliseconds without a keystroke after which a search begins. */
const typing = 150;

export default function OffersView({ search }: { search: string }) {
  const { isAdmin } = useAuth();
  const url = parseOffersUrl(search);
  const { view, filters } = url;
  const people = usePeople();
  const { page, counts, alert, more, reload } = useOfferList(url);
  // A view without an offer is of use only to who has chosen it.
  const isShown = (name: string) => name === view || name === 'waiting' || Boolean(counts?.[name]);
  return (
    <div className="offers-view">
      <div className="queue-top">
        <Heading>Offers</Heading>
        {page?.offers.length ? <p className="offers-total">{totalText(page)}</p> : null}
        {isAdmin ? <a href="/admin/rates">Rates</a> : null}
      </div>
      <div className="toolbar">
        <nav className="views" aria-label="Offers by state" ref={useCurrentInView()}>
          {Object.entries(views)
            .filter(([name]) => isShown(name))
            .map(([name, label]) => (
              <a
                key={name}
                href={formatOffersUrl({ view: name as View, filters })}
                aria-current={name === view ? 'true' : undefined}
              >
                {label} <span className="filter-count">{counts?.[name]?.toLocaleString('en-US') ?? ' '}</span>
              </a>
            ))}
        </nav>
        <Search url={url} />
        <OfferFilters url={url} people={people} />
      </div>
      <OfferChips url={url} people={people} />
      {page ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={reload} />}
      {page && !page.offers.length ? (
        <div className="empty">
          <p>{emptyText(url)}</p>
          {counts?.all === 0 ? <FirstOffer /> : null}
        </div>
      ) : null}
      {page?.offers.length ? <Heads /> : null}
      <ul className="offer-rows">
        {page?.offers.map((offer) => (
          <Row key={offer.number} offer={offer} />
        ))}
      </ul>
      {page?.has_more ? (
        <Button look="line" onClick={more}>
          Load more
        </Button>
      ) : null}
    </div>
  );
}

/** How the first offer comes. */
function FirstOffer() {
  return (
    <>
      <ol className="first-offer">
        <li>
          <strong>Make an offer</strong> in an open request. Rates and wishes are filled in.
        </li>
        <li>
          <strong>Send it.</strong> The customer accepts, declines or asks on a page of their own.
        </li>
        <li>
          <strong>Follow it here:</strong> what was opened, what ends soon, what was won.
        </li>
      </ol>
      <ButtonLink look="line" href="/admin">
        Choose a request
      </ButtonLink>
    </>
  );
}

function emptyText({ view, filters: { q, ...others } }: OffersUrl): string {
  if (Object.keys(others).length > 0) return 'No offer here passes the filters.';
  return q ? `No offer here has “${q}”.` : empty[view];
}

/** As "12 offers: $6,246.40 a week and $1,200.00 one-time". */
function totalText({ offers, totals, has_more: hasMore }: OfferPage): string {
  const { weekly_cents: weekly, term_cents: term } = totals;
  const values = [weekly ? `${dollars(weekly)} a week` : '', term ? `${dollars(term)} one-time` : ''];
  const value = values.filter(Boolean).join(' and ');
  if (hasMore) return `All together: ${value}`;
  const count = `${offers.length.toLocaleString('en-US')} ${offers.length === 1 ? 'offer' : 'offers'}`;
  return value ? `${count}: ${value}` : count;
}

function Search({ url }: { url: OffersUrl }) {
  // A delayed search keeps what was selected during the delay.
  const latest = useRef(url);
  latest.current = url;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <search className="search">
      <label className="visually-hidden" htmlFor="offer-search">
        Search offers
      </label>
      <input
        id="offer-search"
        type="search"
        className="input"
        placeholder="Customer, place, GP-…"
        autoComplete="off"
        enterKeyHint="search"
        defaultValue={url.filters.q ?? ''}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            const { view, filters } = latest.current;
            const address = formatOffersUrl({ view, filters: { ...filters, q: value.trim() } });
            navigate(address, { replace: true });
          }, typing);
        }}
      />
    </search>
  );
}

/** The names of the columns, in a wide window; each row says by itself what it shows. */
function Heads() {
  return (
    <div className="offer-heads" aria-hidden="true">
      {['Customer', 'Offer', 'State', 'When', 'Value'].map((name) => (
        <span key={name}>{name}</span>
      ))}
    </div>
  );
}

function Row({ offer: { number, request, state, versions, updated_at: changed } }: { offer: Offer }) {
  const [current] = versions;
  const service = services.find(({ value }) => value === request?.service)?.label;
  const href = request ? formatDeskUrl({ view: 'everything', filters: {}, request: request.id }) : undefined;
  return (
    <li>
      <span className="offer-who">
        {href ? <a href={href}>{request?.company || request?.name}</a> : 'The request was deleted'}
      </span>
      <span className="offer-what">{[number, service, request?.location].filter(Boolean).join(' · ')}</span>
      <span>
        <span className={badgeOf(state)}>{stateText[state] ?? state}</span>
      </span>
      <span className="offer-when">
        {current && state === 'sent' ? endText(current.valid_until) : ''}
        {current?.answered_at
          ? `${dateTime(current.answered_at)}${current.answered_by ? ` by ${current.answered_by}` : ''}`
          : ''}
        {current ? '' : `changed ${dateTime(changed)}`}
      </span>
      <span className="offer-value">{current ? valueText(current) : ''}</span>
      {current?.reason ? <span className="offer-reason">{current.reason}</span> : null}
    </li>
  );
}
