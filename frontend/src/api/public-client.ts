// HTTP client of the public pages: JSON over fetch, with problem documents (RFC 9457) as errors.

import type { components } from './schema';

/** Request timeout in milliseconds. */
const timeout = 20_000;

/** An error response. `fields` has its messages by field name, in snake_case. */
export class Problem extends Error {
  declare readonly status: number;
  declare readonly fields: Record<string, string>;

  constructor(status: number, body: ProblemBody) {
    super(body.detail);
    this.status = status;
    this.fields = Object.fromEntries((body.fields ?? []).map(({ field, message }) => [field, message]));
  }
}

type ProblemBody = Partial<components['schemas']['Problem']>;

/**
 * Calls the JSON API. Throws a Problem for an error response, and what `fetch` throws on a network
 * error.
 */
export async function callPublicApi<T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<T> {
  // Safari has `AbortSignal.timeout` from version 16 only.
  const limit = new AbortController();
  setTimeout(() => limit.abort(), timeout);
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: limit.signal,
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, answer);
  return answer;
}
