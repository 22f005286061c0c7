// The view of all offers: waiting, expiring, accepted, declined with their reasons.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listOffers, type Offer, type OfferPage } from '../../api/offers';
import { Button } from '../../ui/button';
import { coalesce } from '../live/coalesce';
import { useLive } from '../live/use-live';
import { formatDeskUrl } from '../requests/desk-url';
import { dateTime, services } from '../requests/format';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { errorMessage } from '../ui/use-submit';
import { badgeOf, dayText, stateText, valueText } from './words';

const views = {
  waiting: 'Waiting',
  expiring: 'Expiring',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  draft: 'Drafts',
} as const;

const empty: Record<keyof typeof views, string> = {
  waiting: 'No offer waits for an answer. Open a request and choose Make an offer.',
  expiring: 'No offer expires soon.',
  accepted: 'No offer was accepted yet.',
  declined: 'No offer was declined.',
  expired: 'No offer has expired.',
  withdrawn: 'No offer was withdrawn.',
  draft: 'There are no drafts.',
};

export default function OffersView({ search }: { search: string }) {
  const { isAdmin } = useAuth();
  const wanted = new URLSearchParams(search).get('show') ?? '';
  const view = (wanted in views ? wanted : 'waiting') as keyof typeof views;
  const { page, alert, more } = useOfferPage(view);
  return (
    <div className="offers-view">
      <div className="queue-top">
        <Heading>Offers</Heading>
        {isAdmin ? <a href="/admin/rates">Rates</a> : null}
      </div>
      <nav className="views" aria-label="Offers by state">
        {Object.entries(views).map(([name, label]) => (
          <a
            key={name}
            href={`/admin?view=offers&show=${name}`}
            aria-current={name === view ? 'true' : undefined}
          >
            {label} <span className="filter-count">{page?.counts[name] ?? ' '}</span>
          </a>
        ))}
      </nav>
      <FormAlert text={alert} />
      {page ? null : <p role="status">{alert ? '' : 'Loading'}</p>}
      {page && !page.offers.length ? (
        <div className="empty">
          <p>{empty[view]}</p>
        </div>
      ) : null}
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

function Row({ offer: { number, request, state, versions, updated_at: changed } }: { offer: Offer }) {
  const [current] = versions;
  const service = services.find(({ value }) => value === request?.service)?.label;
  const href = request ? formatDeskUrl({ view: 'everything', filters: {}, request: request.id }) : undefined;
  return (
    <li>
      <span className="offer-who">
        {href ? <a href={href}>{request?.company || request?.name}</a> : 'The request was deleted'}
        <span className="muted">{[number, service, request?.location].filter(Boolean).join(' · ')}</span>
      </span>
      <span className="offer-value">{current ? valueText(current) : ''}</span>
      <span className="offer-when">
        <span className={badgeOf(state)}>{stateText[state] ?? state}</span>{' '}
        {current && state === 'sent' ? `until ${dayText(current.valid_until)}` : ''}
        {current?.answered_at
          ? `${dateTime(current.answered_at)}${current.answered_by ? ` by ${current.answered_by}` : ''}`
          : ''}
        {current ? '' : `changed ${dateTime(changed)}`}
      </span>
      {current?.reason ? <span className="offer-reason">{current.reason}</span> : null}
    </li>
  );
}

/** The offers of a view, read again when requests change elsewhere. */
function useOfferPage(view: string) {
  const { manager } = useAuth();
  const [found, setFound] = useState<{ view: string; page: OfferPage }>();
  const [alert, setAlert] = useState('');
  const current = useRef(view);
  current.current = view;

  const read = useCallback(async () => {
    const asked = current.current;
    try {
      const page = await manager.withToken((token) => listOffers(token, asked, 0));
      if (asked === current.current) setFound({ view: asked, page });
      setAlert('');
    } catch (error) {
      setAlert(errorMessage(error));
    }
  }, [manager]);
  useEffect(() => void read(), [read, view]);
  const changed = useMemo(() => coalesce<string>(read), [read]);
  useLive(() => changed(['any']));

  async function more() {
    const shown = found?.page.offers ?? [];
    try {
      const page = await manager.withToken((token) => listOffers(token, view, shown.length));
      setFound({ view, page: { ...page, offers: [...shown, ...page.offers] } });
    } catch (error) {
      setAlert(errorMessage(error));
    }
  }
  return { page: found?.view === view ? found.page : undefined, alert, more };
}
