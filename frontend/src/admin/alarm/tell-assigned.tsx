// The message that a colleague has assigned requests to this person.
import type { Person, RequestItem } from '../../api/inbox-types';
import { toast } from '../../ui/toast';
import { customer, personName } from '../requests/format';

/** The server names at most this many of one change. */
const mostNamed = 60;

/** Milliseconds that the message stays: the person may be on the phone. */
const duration = 30_000;

/** The words of the message about `count` requests; `request` is the first. */
function assignedText(count: number, request: RequestItem | undefined): string {
  if (count > mostNamed) return `More than ${mostNamed} requests`;
  if (count > 1) return `${count.toLocaleString('en-US')} requests`;
  return request ? `${request.reference}, ${customer(request)}` : 'A request';
}

export function tellAssigned(count: number, request: RequestItem | undefined, by: Person | undefined) {
  const name = by ? personName(by) : 'A colleague';
  const href = count === 1 && request ? `/admin?view=mine&request=${request.id}` : '/admin?view=mine';
  toast({
    title: `${name} has assigned to you`,
    detail: (
      <>
        {assignedText(count, request)}. <a href={href}>{count === 1 ? 'Open it' : 'Show them'}</a>
      </>
    ),
    duration,
  });
}
