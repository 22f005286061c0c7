// One line of the request list: the facts that decide first, the status, the actions. The line is a
// link to the request.

import { memo, useLayoutEffect, useRef } from 'react';
import type { FoundIn, Person, RequestItem } from '../../api/inbox';
import type { OfferVersion } from '../../api/offers';
import { Icon } from '../../ui/icon';
import { stateText, valueText } from '../offers/words';
import { Badge } from '../requests/badge';
import { customer, isOpen, personName, serviceLabel, startDay, telLink } from '../requests/format';
import { useActions } from '../state/use-desk';
import type { RowFocus } from '../state/use-row-focus';
import { ActionButtons, type ActionProps, confirmText } from './action-buttons';
import { Due } from './due';

type RowProps = ActionProps & {
  href: string;
  open: boolean;
  /** Whether it came since the list was last loaded. */
  fresh: boolean;
  selected: boolean;
  /** Whether the user has written something about it and not sent it. */
  drafted: boolean;
  /** Where the search has found it. */
  found: FoundIn | undefined;
  note: string | undefined;
  now: number;
  /** Position in the list, from 0, and the height of unrendered rows above it in pixels. */
  index: number;
  gap: number;
  /** How many rows are loaded, or -1 if the list goes on. */
  listSize: number;
  rows: RowFocus['rows'];
};

/** Scrolling renders the new rows only. */
export const RequestRow = memo(Row);

function Row({ href, open, fresh, selected, drafted, found, note, now, rows, ...rest }: RowProps) {
  const { request, busy, pendingConfirm, undoable, index, gap, listSize } = rest;
  const { select } = useActions();
  const row = useRef<HTMLLIElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const { id } = request;
  // Before the list's own effects, which may focus a row.
  useLayoutEffect(() => {
    const all = rows.current;
    if (row.current && link.current) all?.set(id, { row: row.current, link: link.current });
    return () => void all?.delete(id);
  }, [rows, id]);
  const name = customer(request);
  return (
    <li
      ref={row}
      className={['row', selected ? 'row-selected' : '', fresh ? 'row-fresh' : ''].filter(Boolean).join(' ')}
      data-status={request.status}
      aria-busy={busy}
      aria-posinset={index + 1}
      aria-setsize={listSize}
      style={{ marginTop: gap > 0 ? `${gap}px` : '' }}
    >
      <label className="row-select">
        <input type="checkbox" checked={selected} onClick={(event) => select(id, event.shiftKey)} />
        <span className="visually-hidden">Select {request.reference}</span>
      </label>
      <a ref={link} className="row-link" href={href} aria-current={open ? 'true' : undefined}>
        {fresh ? <span className="visually-hidden">New. </span> : null}
        <Due request={request} now={now} />
        <span className="row-what">
          <span className="row-call">
            <Alarm request={request} />
            <FollowUpMark request={request} />
            {request.unread ? <span className="row-unread">Message waits</span> : null}
            {drafted ? <span className="row-unread">Draft</span> : null}
          </span>
          <span className="row-service">
            <Name of="Service" />
            {serviceLabel(request)}
          </span>
        </span>
        <span className="row-place">
          <Name of="Place" />
          {request.kind === 'message' ? 'Contact message' : request.location}
        </span>
        <span className="row-start">
          {request.start_date ? (
            <>
              <span className="row-start-label">Starts </span>
              <span className="row-start-day">{startDay(request.start_date, now).replace(/^To/, 'to')}</span>
            </>
          ) : null}
        </span>
        <span className="row-who" id={`who-${id}`}>
          <Name of="Customer" />
          <span>{name}</span>
          {request.asked_before ? (
            <span className="row-repeat" title="This customer has sent an earlier request">
              Asked before
            </span>
          ) : null}
        </span>
        <RowFound found={found} />
      </a>
      <div className="row-side">
        <span className="row-with">
          {request.awaits_call && request.phone ? (
            <a
              className="row-tel"
              href={telLink(request.phone)}
              aria-label={`Call ${name}, ${request.phone}`}
            >
              {request.phone}
            </a>
          ) : null}
          <Assignee of={request.assignee} />
        </span>
        <span className="row-status">
          <Name of="Status" />
          <Badge status={request.status} />
        </span>
        <RowOffer request={request} />
      </div>
      <ActionButtons {...{ request, busy, pendingConfirm, undoable }} />
      <p className="row-note" role="status">
        {pendingConfirm ? confirmText : note}
      </p>
    </li>
  );
}

/** The name of a column, for readers of screens. */
function Name({ of }: { of: string }) {
  return <span className="visually-hidden">{of}: </span>;
}

/**
 * The customer asked to be called right away: an order until they were reached by phone, a fact
 * afterwards. Or a reply could not be delivered.
 */
function Alarm({ request }: { request: RequestItem }) {
  const waits = request.awaits_call;
  if (request.reply_failed && !waits) return <span className="overdue">Reply failed</span>;
  if (!request.emergency_contact) return null;
  return (
    <>
      <Icon name="phone" />
      {waits ? 'Call now' : <span className="visually-hidden">Wanted a call</span>}
      {waits && request.emailed_at ? <span className="row-emailed">Emailed, not reached</span> : null}
    </>
  );
}

/** The reminder is due. */
function FollowUpMark({ request: { follow_up: followUp, status } }: { request: RequestItem }) {
  if (!followUp?.due || !isOpen({ status })) return null;
  return (
    <span className="row-follow-up now" title={`Reminder of ${personName(followUp.by)}`}>
      Follow up
    </span>
  );
}

function Assignee({ of }: { of: Person | null | undefined }) {
  if (!of) return null;
  return (
    <span className="row-assignee" title={personName(of)}>
      <span className="visually-hidden">Assigned to </span>
      {personName(of)}
    </span>
  );
}

const names: Record<FoundIn['part'], string> = {
  reference: 'Reference',
  email: 'Email',
  phone: 'Phone',
  words: 'In their words',
  note: 'Note',
  call: 'Call',
  reply: 'Reply',
  message: 'Their email',
  file: 'File',
  other: 'Found in a merged request or an outcome',
};

/** Where a search has found a request, if its row does not show it. */
function RowFound({ found }: { found: FoundIn | undefined }) {
  if (!found) return null;
  return (
    <span className="row-found">
      <strong>{names[found.part]}</strong>
      {found.excerpt ? `: ${found.excerpt}` : ''}
    </span>
  );
}

type Listed = Pick<OfferVersion, 'state' | 'total_cents' | 'is_weekly'> & { is_unconfirmed?: boolean };

/** What the last offer of a request is worth, in its row of the list. */
function RowOffer({ request: { offer } }: { request: { offer?: Listed | null } }) {
  if (!offer) return null;
  const state = offer.is_unconfirmed ? 'To be confirmed' : (stateText[offer.state] ?? offer.state);
  return (
    <span className="row-offer" data-state={offer.state} title={`Offer: ${state}`}>
      <span className="visually-hidden">Offer: </span>
      <span className="row-offer-state">{state}, </span>
      <strong>{valueText(offer)}</strong>
    </span>
  );
}
