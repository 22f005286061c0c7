// The orders of the lists, as the server has them (src/store/lists/order.rs).
import type { RequestItem } from '../../../api/inbox';
import type { View } from '../desk-url';
import { awaitsCall, isOpen } from '../format';
import type { Sort } from './sort';

/** The part of "Needs attention" that is overdue. */
const overdue = 3;

/** Whether a request comes before another one. */
type Order = (one: RequestItem, other: RequestItem) => boolean;

/**
 * A sorted list has the order of `sort`; "Needs attention" is in order of urgency, every other view
 * newest first; then by id.
 */
export function orderOf(view: View, now: number, me: string, sort?: Sort): Order {
  if (sort) return sorted(sort);
  return view === 'attention' ? byUrgency(now, me) : newestFirst;
}

const newestFirst: Order = (one, other) =>
  one.created_at === other.created_at ? one.id > other.id : one.created_at > other.created_at;

/** By a key, then by id, both in one direction; what has no key comes last. */
function sorted(sort: Sort): Order {
  const keyOf = sortKeys[sort.replace('-', '') as keyof typeof sortKeys];
  const sign = sort.startsWith('-') ? -1 : 1;
  return (one, other) => {
    const [key, otherKey] = [keyOf(one), keyOf(other)];
    if (key === otherKey) return sign * (one.id < other.id ? -1 : 1) < 0;
    if (key === undefined || otherKey === undefined) return otherKey === undefined;
    return sign * (key - otherKey) < 0;
  };
}

/** As the server's, of a request; undefined if it has none. */
const sortKeys = {
  received: ({ created_at }: RequestItem) => Date.parse(created_at),
  due: ({ due_at }: RequestItem) => Date.parse(due_at),
  start: ({ start_date }: RequestItem) => (start_date ? Date.parse(start_date) : undefined),
  value: (request: RequestItem) => {
    const value = isOpen(request) ? undefined : request.outcome?.value;
    return value ? Math.round(Number(value) * 100) : request.offer?.total_cents;
  },
};

/**
 * Emergencies without a call that reached the customer, earliest due first; then what is to be
 * followed up, that of the user `me` first; then what is overdue, newest due first; then the rest,
 * earliest due first.
 */
function byUrgency(now: number, me: string): Order {
  const due = ({ due_at }: RequestItem) => Date.parse(due_at);
  const part = (request: RequestItem) => {
    if (awaitsCall(request)) return 0;
    if (request.follow_up?.due) return request.follow_up.by.id === me ? 1 : 2;
    return due(request) < now ? overdue : 4;
  };
  return (one, other) => {
    const between = part(one) - part(other);
    if (between !== 0) return between < 0;
    const later = due(one) - due(other);
    if (later === 0) return one.id < other.id;
    return part(one) === overdue ? later > 0 : later < 0;
  };
}
