// The desk's state is in the URL, so that a reload, a bookmark and an email link show the same view:
// `/admin?status=pending&q=houston&quote=<id>`.
import { navigate } from 'wouter/use-browser-location';
import { type Status, statuses } from '../../api/quotes';

export type DeskUrl = { status: Status | undefined; q: string; quote: string | undefined };

export function parseDeskUrl(search: string): DeskUrl {
  const query = new URLSearchParams(search);
  return {
    status: statuses.find((status) => status === query.get('status')),
    q: query.get('q') ?? '',
    quote: query.get('quote') ?? undefined,
  };
}

export function formatDeskUrl({ status, q, quote }: DeskUrl): string {
  const query = new URLSearchParams();
  if (status) query.set('status', status);
  if (q) query.set('q', q);
  if (quote) query.set('quote', quote);
  const text = query.toString();
  return text ? `/admin?${text}` : '/admin';
}

/** Navigates to a desk URL; `replace` adds no history entry. */
export function navigateDesk(url: DeskUrl, replace = false) {
  navigate(formatDeskUrl(url), { replace });
}
