// The dispatcher's calls: list, read and update quotes. The server checks access and status
// changes.
import { callApi } from './admin-client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Status = Schemas['Status'];
export type Quote = Schemas['Quote'];
export type Attribution = Schemas['Attribution'];
export type Counts = Schemas['Counts'];
export type QuotePage = Schemas['QuotePage'];
export type CallClicks = Schemas['CallClicks'];

/** In the order of a quote's lifecycle. */
export const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const satisfies Status[];

export type QuoteQuery = { status?: Status; q?: string; limit?: number; cursor?: string };

/** One page of the inbox, newest first. */
export function listQuotes(token: string, listing: QuoteQuery, signal?: AbortSignal): Promise<QuotePage> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(listing)) if (value) query.set(name, String(value));
  return callApi<QuotePage>(`/api/admin/quotes?${query}`, { token, ...(signal ? { signal } : {}) });
}

export function readQuote(token: string, id: string, signal?: AbortSignal): Promise<Quote> {
  return callApi<Quote>(`/api/admin/quotes/${encodeURIComponent(id)}`, {
    token,
    ...(signal ? { signal } : {}),
  });
}

/** Changes a quote's status. On 409, `details.currentStatus` of the error has the current one. */
export function updateQuoteStatus(token: string, id: string, status: Status): Promise<Quote> {
  return callApi<Quote>(`/api/admin/quotes/${encodeURIComponent(id)}`, {
    method: 'PATCH',
    token,
    body: { status },
  });
}

/** Clicks on the phone links by page in the last thirty days, highest first. */
export const listCallClicks = (token: string) => callApi<CallClicks>('/api/admin/taps', { token });
