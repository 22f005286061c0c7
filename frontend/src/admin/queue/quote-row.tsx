// One line of the queue: the facts that decide first, the status, the actions. The line is a link to the quote.
import type { Quote, Status } from '../../api/quotes';
import { Icon } from '../../ui/icon';
import { ActionButtons } from './action-buttons';
import { Badge } from './badge';
import { dateTime, elapsed, optionLabel, overdue, startDay } from './format';

type Props = {
  quote: Quote;
  href: string;
  open: boolean;
  busy: boolean;
  pendingConfirm: boolean;
  note: string | undefined;
  now: number;
  move(quote: Quote, to: Status): void;
};

export function QuoteRow({ quote, href, open, busy, pendingConfirm, note, now, move }: Props) {
  const late = overdue(quote.created_at, quote.status, now);
  return (
    <li className="row" data-status={quote.status} aria-busy={busy}>
      <a className="row-link" href={href} data-id={quote.id} aria-current={open ? 'true' : undefined}>
        <span className={late ? 'row-wait late' : 'row-wait'}>
          <span className="visually-hidden">Waiting </span>
          <time dateTime={quote.created_at} title={dateTime(quote.created_at)}>
            {elapsed(quote.created_at, now)}
          </time>
          {late ? <span className="visually-hidden"> (longer than promised)</span> : null}
        </span>
        <span className="row-call">
          {quote.emergency_contact ? <CallRequested status={quote.status} /> : null}
        </span>
        <span className="row-service">{optionLabel('serviceType', quote.service_type)}</span>
        <span className="row-place">{quote.location}</span>
        <span className="row-start">
          <span className="visually-hidden">Starts </span>
          {startDay(quote.start_date, now)}
        </span>
        <span className="row-who" id={`who-${quote.id}`}>
          {[`${quote.first_name} ${quote.last_name}`, quote.company].filter(Boolean).join(', ')}
        </span>
      </a>
      <span className="row-status">
        <Badge status={quote.status} />
      </span>
      <ActionButtons quote={quote} busy={busy} pendingConfirm={pendingConfirm} move={move} />
      <p className="row-note" role="status">
        {pendingConfirm ? 'Press r again to reject.' : note}
      </p>
    </li>
  );
}

/** Somebody asked to be called right away: an order while the quote waits, a fact afterwards. */
function CallRequested({ status }: { status: Status }) {
  return (
    <>
      <Icon name="phone" />
      {status === 'pending' ? 'Call now' : <span className="visually-hidden">Wanted a call</span>}
    </>
  );
}
