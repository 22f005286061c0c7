// The desk's state lives in the address, so that a reload, a bookmark and a mail's link show the same:
// `/admin?status=pending&q=houston&quote=<id>`.
import { navigate } from 'wouter/use-browser-location';
import { type Status, statuses } from '../../api/triage';

export type Place = { status: Status | undefined; q: string; quote: string | undefined };

export function placeOf(search: string): Place {
  const query = new URLSearchParams(search);
  return {
    status: statuses.find((status) => status === query.get('status')),
    q: query.get('q') ?? '',
    quote: query.get('quote') ?? undefined,
  };
}

export function addressOf({ status, q, quote }: Place): string {
  const query = new URLSearchParams();
  if (status) query.set('status', status);
  if (q) query.set('q', q);
  if (quote) query.set('quote', quote);
  const text = query.toString();
  return text ? `/admin?${text}` : '/admin';
}

/** Goes there; `replace` leaves no entry in the history, for steps nobody wants to walk back. */
export function go(place: Place, replace = false) {
  navigate(addressOf(place), { replace });
}
