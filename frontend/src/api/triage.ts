// The dispatcher's calls: list, read and move quotes. The server decides who may and which moves are legal.
import { call } from './call';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Status = Schemas['Status'];
export type Quote = Schemas['Quote'];
export type Attribution = Schemas['Attribution'];
export type Counts = Schemas['Counts'];
export type Page = Schemas['QuotePage'];
export type Taps = Schemas['CallClicks'];

/** In the order of a quote's life. */
export const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const satisfies Status[];

export type Listing = { status?: Status; q?: string; limit?: number; cursor?: string };

/** One page of the queue, newest first. */
export function listQuotes(token: string, listing: Listing, signal?: AbortSignal): Promise<Page> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(listing)) if (value) query.set(name, String(value));
  return call<Page>(`/api/admin/quotes?${query}`, { token, ...(signal ? { signal } : {}) });
}

export function readQuote(token: string, id: string, signal?: AbortSignal): Promise<Quote> {
  return call<Quote>(`/api/admin/quotes/${encodeURIComponent(id)}`, { token, ...(signal ? { signal } : {}) });
}

/** Moves a quote. A refusal with status 409 says in `details.currentStatus` where it stands. */
export function moveQuote(token: string, id: string, status: Status): Promise<Quote> {
  return call<Quote>(`/api/admin/quotes/${encodeURIComponent(id)}`, {
    method: 'PATCH',
    token,
    body: { status },
  });
}

/** Taps on the phone links by page, in the last thirty days, most first. */
export const listTaps = (token: string) => call<Taps>('/api/admin/taps', { token });
