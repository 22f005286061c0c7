// The requests that a bulk change did not change: each reason once, with its requests.

import { useEffect, useRef } from 'react';
import type { BulkResult } from '../../api/inbox';
import { Button } from '../../ui/button';
import { storedText } from '../panel/person-data';
import { useDesk } from '../state/use-desk';

/** References listed for one reason. */
const listed = 40;

export function Refusals() {
  const { refused, clearRefused } = useDesk().changes;
  if (refused.length === 0) return null;
  const count = refused.length.toLocaleString('en-US');
  return (
    <section className="refusals" role="alert" aria-label="Not changed">
      <p>{refused.length === 1 ? '1 request was not changed.' : `${count} requests were not changed.`}</p>
      <ul>
        {byReason(refused).map(({ reason, names }) => (
          <li key={reason}>
            {reason} <strong>{names.slice(0, listed).join(', ')}</strong>
            {names.length > listed ? ` and ${(names.length - listed).toLocaleString('en-US')} more` : ''}
          </li>
        ))}
      </ul>
      <Button look="line" onClick={clearRefused}>
        Close
      </Button>
    </section>
  );
}

// Refused requests of a change of many, by the reason that the server gives.

/** Each reason once, with the references of its requests, in the order of the first of each. */
export function byReason(refused: BulkResult['refused']): { reason: string; names: string[] }[] {
  const reasons = new Map<string, string[]>();
  for (const { id, reference, detail } of refused) {
    reasons.set(detail, [...(reasons.get(detail) ?? []), reference ?? id]);
  }
  return [...reasons].map(([reason, names]) => ({ reason, names }));
}

/**
 * What the erasure of a person has deleted; it stays until it is closed, since nothing else shows
 * it afterwards.
 */
export function ErasedNotice() {
  const { erased: data, hideErased } = useDesk();
  const title = useRef<HTMLHeadingElement>(null);
  // The panel with the form that had the focus is gone.
  useEffect(() => title.current?.focus(), [data]);
  if (!data) return null;
  return (
    <section className="refusals erased" aria-labelledby="erased-title">
      <h2 id="erased-title" ref={title} tabIndex={-1}>
        {data.email} is erased
      </h2>
      <p>
        Deleted: {storedText(data)}. The erasure is written down: a restored backup erases it again.
        {data.has_account ? ' The account with this address stays.' : ''}
      </p>
      <Button look="line" onClick={hideErased}>
        Close
      </Button>
    </section>
  );
}

/**
 * Emails that belong to no request count in "Needs attention", where they have no row: a line leads
 * to them.
 */
export function UnmatchedNotice() {
  const { url, store } = useDesk();
  const count = store.state.list?.views.unmatched ?? 0;
  if (url.view !== 'attention' || Object.keys(url.filters).length > 0 || count === 0) return null;
  const text = count === 1 ? '1 email belongs' : `${count.toLocaleString('en-US')} emails belong`;
  return (
    <p className="unmatched-notice">
      {`${text} to no request. `}
      <a href="/admin?view=unmatched">Open Unmatched</a>
    </p>
  );
}
