// Buttons for the status changes a request allows, and for undoing the last one. Rejecting by key
// needs a second press.
import type { RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { actionsFor, awaitsStaff, staffed } from '../requests/actions';
import { type Undoable, UndoButton } from '../requests/undo';
import { useActions } from '../state/use-desk';

export type ActionProps = {
  request: RequestItem;
  busy: boolean;
  /** Whether the first press of the reject key waits for the second. */
  pendingConfirm: boolean;
  /** A change of this request that can be undone. */
  undoable: Undoable | undefined;
};

/** `quiet` where another button of the view is the primary one. */
type Props = ActionProps & { quiet?: boolean };

export function ActionButtons({ request, busy, pendingConfirm, undoable, quiet }: Props) {
  const { undo, move, confirmStaffed, release, discard } = useActions();
  const describedBy = `who-${request.id}`;
  const button = (name: string, negative: boolean, act: () => void, key?: string) => (
    <Button
      key={name}
      look={negative || quiet ? 'line' : 'ink'}
      className={[negative ? 'negative' : '', negative && pendingConfirm ? 'confirming' : '']
        .join(' ')
        .trim()}
      aria-label={`${name} ${request.reference}`}
      aria-describedby={describedBy}
      data-key={key}
      disabled={busy}
      onClick={act}
    >
      {name}
    </Button>
  );
  return (
    <div className="row-actions">
      {undoable ? <UndoButton change={undoable} undo={undo} /> : null}
      {awaitsStaff(request) ? button(staffed, false, () => confirmStaffed(request)) : null}
      {actionsFor(request).map(({ name, to, key }) =>
        button(name, name === 'Reject', () => move(request, to), key),
      )}
      {request.held ? button('Release', false, () => release(request)) : null}
      {request.held && request.status !== 'cancelled'
        ? button('Discard', true, () => discard(request))
        : null}
    </div>
  );
}

/** What is said under the buttons while the reject key waits for its second press. */
export const confirmText = 'Press r again to reject.';
