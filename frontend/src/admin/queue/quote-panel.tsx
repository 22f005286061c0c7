// The whole quote, beside the list: who, what, where, when, in their words, and where the visit came from.
import { type ReactNode, useEffect, useRef } from 'react';
import type { Attribution, Quote, Status } from '../../api/quotes';
import { Button, ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { ActionButtons } from './action-buttons';
import { Badge } from './badge';
import { ago, optionLabel, startDay, telLink } from './format';

type Props = {
  quote: Quote;
  busy: boolean;
  pendingConfirm: boolean;
  note: string | undefined;
  now: number;
  /** Whether the quote was opened on purpose. */
  takesFocus(): boolean;
  move(quote: Quote, to: Status): void;
  close(): void;
};

export function QuotePanel({ quote, busy, pendingConfirm, note, now, takesFocus, move, close }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus()) heading.current?.focus();
  }, [quote.id]);
  const name = `${quote.first_name} ${quote.last_name}`;
  return (
    <aside className="quote-panel" aria-labelledby="panel-title">
      <div className="panel-top">
        <Button look="quiet" className="panel-back" onClick={close}>
          <Icon name="close" />
          Close
        </Button>
        <Badge status={quote.status} />
      </div>
      <h2 id="panel-title" ref={heading} tabIndex={-1}>
        {name}
      </h2>
      {quote.company ? <p className="panel-company">{quote.company}</p> : null}
      {quote.emergency_contact ? (
        <p className="panel-urgent">
          <Icon name="alert" />
          Wants somebody to call right away.
        </p>
      ) : null}
      <div className="panel-reach">
        <ButtonLink href={telLink(quote.phone)} look={quote.emergency_contact ? 'signal' : 'line'}>
          <Icon name="phone" />
          {quote.phone}
        </ButtonLink>
        <a className="panel-mail" href={`mailto:${quote.email}`}>
          <Address of={quote.email} />
        </a>
      </div>
      <ActionButtons quote={quote} busy={busy} pendingConfirm={pendingConfirm} move={move} />
      <p className="row-note" role="status">
        {pendingConfirm ? 'Press r again to reject.' : note}
      </p>
      <dl className="quote-facts">
        <Fact name="Service">{optionLabel('serviceType', quote.service_type)}</Fact>
        <Fact name="Place">{quote.location}</Fact>
        <Fact name="Start date">{`${startDay(quote.start_date, now)} (${quote.start_date})`}</Fact>
        <Fact name="Duration">{optionLabel('duration', quote.duration)}</Fact>
        <Fact name="Asked">
          <time dateTime={quote.created_at}>{ago(quote.created_at, now)}</time>
        </Fact>
        {quote.updated_at === quote.created_at ? null : (
          <Fact name="Changed">{ago(quote.updated_at, now)}</Fact>
        )}
      </dl>
      <h3>In their words</h3>
      <p className={quote.description ? 'panel-words' : 'muted'}>{quote.description || 'Nothing added.'}</p>
      <h3>Came from</h3>
      <CameFrom {...(quote.attribution ?? {})} />
    </aside>
  );
}

/** An address that is too long for its line breaks before its domain. */
function Address({ of }: { of: string }) {
  const at = of.lastIndexOf('@');
  return (
    <span>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </span>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CameFrom(from: Attribution) {
  const facts: [string, string | undefined][] = [
    ['First page', from.landing],
    ['Linked from', from.referrer_host],
    ['Source', from.utm_source],
    ['Medium', from.utm_medium],
    ['Campaign', from.utm_campaign],
    ['Keyword', from.utm_term],
    ['Variant', from.utm_content],
    ['Ad click', from.gclid],
  ];
  const known = facts.filter(([, value]) => value);
  if (known.length === 0) return <p className="muted">Direct or unknown</p>;
  return (
    <dl className="quote-facts">
      {known.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}
