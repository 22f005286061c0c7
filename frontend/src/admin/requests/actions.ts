// The actions of the specification (section 4) on a request, each with its key.
import type { RequestItem, Status } from '../../api/inbox';

export type Action = { name: 'Accept' | 'Reject' | 'Complete'; to: Status; key: string };

const accept: Action = { name: 'Accept', to: 'in_progress', key: 'a' };
const reject: Action = { name: 'Reject', to: 'cancelled', key: 'r' };
const complete: Action = { name: 'Complete', to: 'completed', key: 'c' };

/** Every action, in the order of their buttons. */
export const allActions: readonly Action[] = [accept, reject, complete];

type Acted = Pick<RequestItem, 'status' | 'held' | 'offer'>;

/** In place of the actions of a request whose customer has accepted an offer. */
export const staffed = 'Confirm staffing';

/** Whether the customer has accepted an offer whose posts are not confirmed as staffed. */
export const awaitsStaff = ({ held, offer }: Pick<Acted, 'held' | 'offer'>): boolean =>
  !held && offer?.is_unconfirmed === true;

/** The actions available for a request; a held one is released or discarded first. */
export function actionsFor({ status, held, offer }: Acted): Action[] {
  if (held || awaitsStaff({ held, offer })) return [];
  if (status === 'pending') return [accept, reject];
  return status === 'in_progress' ? [complete] : [];
}
