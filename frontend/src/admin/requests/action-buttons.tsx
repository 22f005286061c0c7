// Buttons for the status changes a request allows, and for undoing the last one. Rejecting by key
// needs a second press.

import type { RequestItem, Status } from '../../api/inbox';
import { Button } from '../../ui/button';
import { type Undoable, UndoButton } from './undo';

// The actions of the specification (section 4) on a request, each with its key.

export type Action = { name: 'Accept' | 'Reject' | 'Complete'; to: Status; key: string };

const accept: Action = { name: 'Accept', to: 'in_progress', key: 'a' };
const reject: Action = { name: 'Reject', to: 'cancelled', key: 'r' };
const complete: Action = { name: 'Complete', to: 'completed', key: 'c' };

/** Every action, in the order of their buttons. */
export const allActions: readonly Action[] = [accept, reject, complete];

type Acted = Pick<RequestItem, 'status' | 'held' | 'offer'>;

/** In place of the actions of a request whose customer has accepted an offer. */
export const staffed = 'Confirm: posts are staffed';

/** Whether the customer has accepted an offer whose posts are not confirmed as staffed. */
export const awaitsStaff = ({ held, offer }: Pick<Acted, 'held' | 'offer'>): boolean =>
  !held && offer?.is_unconfirmed === true;

/** The actions available for a request; a held one is released or discarded first. */
export function actionsFor({ status, held, offer }: Acted): Action[] {
  if (held || awaitsStaff({ held, offer })) return [];
  if (status === 'pending') return [accept, reject];
  return status === 'in_progress' ? [complete] : [];
}

export type ActionProps = {
  request: RequestItem;
  busy: boolean;
  /** Whether the first press of the reject key waits for the second. */
  pendingConfirm: boolean;
  /** A change of this request that can be undone. */
  undoable: Undoable | undefined;
  undo(change: Undoable): void;
  move(request: RequestItem, to: Status): void;
  confirmStaffed(request: RequestItem): void;
  release(request: RequestItem): void;
  discard(request: RequestItem): void;
};

/** `quiet` where another button of the view is the primary one. */
type Props = ActionProps & { quiet?: boolean };

export function ActionButtons({ request, busy, pendingConfirm, ...rest }: Props) {
  const { quiet, undoable, undo, move, confirmStaffed, release, discard } = rest;
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
