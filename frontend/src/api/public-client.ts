// Transport only: JSON over fetch, and the server's problem documents (RFC 9457) as errors. What to show is the caller's.

import type { components } from './schema';

/** How long an answer is waited for, in milliseconds. */
const timeout = 20_000;

/** A refusal by the server. `fields` are its messages by field name, as the server calls them (snake_case). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly title: string;
  readonly fields: Record<string, string>;

  constructor(status: number, body: ProblemBody) {
    super(body.detail ?? body.title ?? `The server answered ${status}.`);
    this.status = status;
    this.title = body.title ?? '';
    this.fields = Object.fromEntries((body.fields ?? []).map(({ field, message }) => [field, message]));
  }
}

type ProblemBody = Partial<components['schemas']['Problem']>;

/** Calls the JSON API. Throws a Problem where the server refuses, whatever `fetch` throws where it cannot be reached. */
export async function callPublicApi<T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, answer);
  return answer;
}
