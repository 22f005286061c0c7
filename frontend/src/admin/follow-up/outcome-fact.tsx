// The outcome of a closed request among its facts, with the button that records or changes it.
import type { RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { isOpen } from '../requests/format';
import { outcomeText } from '../requests/outcome-text';

export function OutcomeFact({ request, ask }: { request: RequestItem; ask(id: string): void }) {
  const { outcome } = request;
  if (isOpen(request) || request.held) return null;
  return (
    <div className="assignment outcome-fact">
      <p>
        {outcome ? `Outcome: ${outcomeText(outcome, outcome.value)}` : 'The outcome is not recorded.'}
        {outcome?.words ? <span className="muted"> {outcome.words}</span> : null}
      </p>
      <Button look="line" className="button-small" onClick={() => ask(request.id)}>
        {outcome ? 'Change' : 'Record it'}
      </Button>
    </div>
  );
}
