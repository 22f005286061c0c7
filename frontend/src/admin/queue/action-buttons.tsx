// Buttons for the status changes a quote allows. Rejecting by key needs a second press, since it is final.
import type { Quote, Status } from '../../api/quotes';
import { Button } from '../../ui/button';
import { actionsFor } from './quote-list-state';

type Props = {
  quote: Quote;
  busy: boolean;
  /** Whether the first press of the reject key waits for the second. */
  pendingConfirm: boolean;
  move(quote: Quote, to: Status): void;
};

export function ActionButtons({ quote, busy, pendingConfirm, move }: Props) {
  return (
    <div className="row-actions">
      {actionsFor(quote.status).map(({ name, to }) => (
        <Button
          key={name}
          look={name === 'Reject' ? 'line' : 'ink'}
          className={pendingConfirm && name === 'Reject' ? 'confirming' : undefined}
          aria-describedby={`who-${quote.id}`}
          disabled={busy}
          onClick={() => move(quote, to)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
