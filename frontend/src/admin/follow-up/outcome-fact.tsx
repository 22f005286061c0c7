// The outcome of a request that is closed or won among its facts, with the button that records or
// changes it.
import type { RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { awaitsStaff } from '../requests/actions';
import { dateTime, isOpen } from '../requests/format';
import { outcomeText } from '../requests/outcome-text';

export function OutcomeFact({ request, ask }: { request: RequestItem; ask(id: string): void }) {
  const { outcome } = request;
  if ((isOpen(request) && !outcome) || request.held) return null;
  return (
    <div className="assignment outcome-fact">
      <p>
        {outcome ? `Outcome: ${outcomeText(outcome, outcome.value)}` : 'The outcome is not recorded.'}
        {outcome?.won_at ? `, on ${dateTime(outcome.won_at)}. ${progress(request)}` : ''}
        {outcome?.words ? <span className="muted"> {outcome.words}</span> : null}
      </p>
      <Button look="line" className="button-small" onClick={() => ask(request.id)}>
        {outcome ? 'Change' : 'Record it'}
      </Button>
    </div>
  );
}

/** What has become of the posts of a won request. */
function progress(request: RequestItem): string {
  if (!isOpen(request)) return request.status === 'completed' ? 'Completed.' : 'Cancelled since.';
  return awaitsStaff(request) ? 'Not staffed yet.' : 'Staffed.';
}
