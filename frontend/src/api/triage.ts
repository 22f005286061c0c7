// The dispatcher's calls: list, read and move quotes. The server decides who may and which moves are legal.
import { call } from './call';

/** In the order of a quote's life. */
export const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const;

export type Status = (typeof statuses)[number];

export type Attribution = Partial<
  Record<
    | 'landing'
    | 'referrer_host'
    | 'utm_source'
    | 'utm_medium'
    | 'utm_campaign'
    | 'utm_term'
    | 'utm_content'
    | 'gclid',
    string
  >
>;

export type Quote = {
  id: string;
  created_at: string;
  updated_at: string;
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  company?: string | null;
  service_type: string;
  duration: string;
  start_date: string;
  location: string;
  description?: string | null;
  status: Status;
  emergency_contact: boolean;
  attribution?: Attribution | null;
};

export type Counts = Record<Status, number>;

export type Page = { quotes: Quote[]; next_cursor?: string | null; counts: Counts };

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
