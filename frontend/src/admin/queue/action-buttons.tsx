// The buttons of a quote's legal moves. Rejecting by key asks twice, since nothing leads back from there.
import type { Quote, Status } from '../../api/triage';
import { Button } from '../../ui/button';
import { actions } from './board';

type Props = {
  quote: Quote;
  busy: boolean;
  /** A first press of the reject key waits for the second. */
  armed: boolean;
  move(quote: Quote, to: Status): void;
};

export function ActionButtons({ quote, busy, armed, move }: Props) {
  return (
    <div className="row-actions">
      {actions(quote.status).map(({ name, to }) => (
        <Button
          key={name}
          look={name === 'Reject' ? 'line' : 'ink'}
          className={armed && name === 'Reject' ? 'armed' : undefined}
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
