// The requests that a bulk change did not change: each reason once, with its requests.
import type { BulkResult } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { byReason } from '../requests/refusal-reasons';

/** References listed for one reason. */
const listed = 40;

export function Refusals({ refused, close }: { refused: BulkResult['refused']; close(): void }) {
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
      <Button look="line" onClick={close}>
        Close
      </Button>
    </section>
  );
}
