// Other requests of the same person, by email address or phone number.

import { useState } from 'react';
import type { RelatedRequest, RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import {
  ago,
  customer,
  elapsed,
  isOpen,
  serviceLabel,
  statusText,
  telLink,
  unbroken,
} from '../requests/format';
import { useActions, useDesk } from '../state/use-desk';
import { focusOnce } from '../ui/field';
import { CallableText } from './callable-text';

/** `opened` is the request that is open. */
type Props = { opened: RequestItem; related: RelatedRequest[] };

/** Requests that are shown at once; the others are folded. */
const few = 5;

export function Related({ opened, related }: Props) {
  const { now, hrefOf } = useDesk();
  const canMerge = isOpen(opened) && !opened.held;
  if (related.length === 0) return null;
  // Those that can be merged come first, in the order of their days.
  const all = [...related].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  const rows = all.map(({ id, kind, reference, status, created_at, held, stays }) => (
    <li key={id}>
      <a href={hrefOf(id)}>{reference}</a> {kind === 'quote' ? 'Quote' : 'Message'},{' '}
      {held ? 'held as spam' : statusText(status)}, {unbroken(elapsed(created_at, now))}{' '}
      {canMerge && !held && isOpen({ status }) ? (
        <Merge opened={opened} other={{ id, reference, stays }} />
      ) : null}
    </li>
  ));
  return (
    <section className="related-section" aria-labelledby="related-title">
      <h3 id="related-title">
        {related.length === 1 ? '1 other request' : `${related.length} other requests`} of this person
      </h3>
      <ul className="related">{rows.slice(0, few)}</ul>
      {rows.length > few ? (
        <details key={opened.id} className="behind">
          <summary>{rows.length - few} more</summary>
          <ul className="related">{rows.slice(few)}</ul>
        </details>
      ) : null}
    </section>
  );
}

type MergeProps = Pick<Props, 'opened'> & { other: Pick<RelatedRequest, 'id' | 'reference' | 'stays'> };

/** Says which number stays, and asks only where the customer knows both: an undo separates them. */
function Merge({ opened, other }: MergeProps) {
  const { merge } = useActions();
  const [asked, setAsked] = useState<boolean>();
  // The focus stays with what replaces the button that was pressed.
  if (!asked)
    return (
      <Button
        ref={asked === false ? focusOnce : undefined}
        look="quiet"
        className="undo"
        onClick={() => (other.stays ? merge(opened, other.id) : setAsked(true))}
      >
        <span>
          Merge<span className="visually-hidden"> with {other.reference}</span>
          {other.stays ? ` into ${other.stays}` : ''}
        </span>
      </Button>
    );
  return (
    <span ref={focusOnce} className="merge-choice" tabIndex={-1}>
      The customer has emails of both. Which number stays?{' '}
      {[opened, other].map(({ id, reference }) => (
        <Button key={id} look="line" className="button-small" onClick={() => merge(opened, other.id, id)}>
          Keep {reference}
        </Button>
      ))}
      <Button look="quiet" onClick={() => setAsked(false)}>
        Cancel
      </Button>
    </span>
  );
}

/** The duplicates that were merged into a request: what they say, and how to separate them. */
export function Duplicates({ duplicates }: { duplicates: RequestItem[] }) {
  const { now, changes, open } = useDesk();
  if (duplicates.length === 0) return null;
  return (
    <section className="duplicates" aria-labelledby="duplicates-title">
      <h3 id="duplicates-title">
        {duplicates.length === 1 ? 'Merged request' : `${duplicates.length} merged requests`}
      </h3>
      <ul>
        {duplicates.map((duplicate) => (
          <li key={duplicate.id}>
            <p>
              <strong>{duplicate.reference}</strong> {serviceLabel(duplicate)}
              {duplicate.location ? `, ${duplicate.location}` : ''}
            </p>
            <p>
              {customer(duplicate)}
              {duplicate.phone ? (
                <>
                  , <a href={telLink(duplicate.phone)}>{duplicate.phone}</a>
                </>
              ) : null}
              {duplicate.email ? `, ${duplicate.email}` : ''}
            </p>
            {duplicate.description ? (
              <p className="panel-words">
                <CallableText text={duplicate.description} />
              </p>
            ) : null}
            <p className="muted">Received {ago(duplicate.created_at, now)}</p>
            <Button
              look="line"
              className="button-small"
              onClick={() => open.request && changes.separate(open.request, duplicate, open.reload)}
            >
              Separate<span className="visually-hidden"> {duplicate.reference}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A contact message has no files and no offers; one press makes it a quote request, which has. */
export function MakeQuote({ request }: { request: RequestItem }) {
  const { changes, open } = useDesk();
  if (request.held || request.kind === 'quote') return null;
  return (
    <section aria-labelledby="make-quote-title">
      <h3 id="make-quote-title">Files and offers</h3>
      <p className="muted">Quote requests have them. Nothing of this message is lost.</p>
      <Button look="line" onClick={() => changes.makeQuote(request).then(open.reload)}>
        Make it a quote request{' '}
        <span className="key-hint" aria-hidden="true">
          q
        </span>
      </Button>
    </section>
  );
}
