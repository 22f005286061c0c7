// HTTP client of the admin: one request, and ApiError for every failure. Public pages use the
// smaller public-client.ts, since they have a size budget.
import type { components } from './schema';
import { noteTime } from './server-clock';

/** Request timeout in milliseconds. */
const timeout = 20_000;

type AnsweredSince = components['schemas']['AnsweredSince'];

/** Details of an error besides its message. */
type Details = {
  /** The weaknesses of a password, or `used` for a code. */
  reasons?: string[];
  currentStatus?: string;
  /** The assignee, if the request is already assigned. */
  currentAssignee?: { id: string; email?: string | null; name?: string | null };
  /** The answer of a colleague because of which a reply was refused. */
  answered?: AnsweredSince;
  retryAfter?: number;
  /** The rejected fields with their messages. */
  fields?: Record<string, string>;
};

/** A failed request. Status 0: no response. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }

  /** Whether the same request may succeed later: a network error or a server failure. */
  get transient(): boolean {
    const { status } = this;
    return status === 0 || (status >= 500 && status <= 504) || (status >= 520 && status <= 530);
  }
}

/** Whether an error is an ApiError with this code. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

export type Request = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Let the request finish even if the page is closed. */
  keepalive?: boolean;
  /** No timeout. */
  slow?: boolean;
};

/** A call of a signed-in user. */
const by =
  (method: NonNullable<Request['method']>) =>
  (token: string, body?: unknown): Request => ({ method, token, body });

export const post = by('POST');
export const put = by('PUT');
export const patch = by('PATCH');
export const remove = by('DELETE');

/**
 * Sends one request and returns the JSON of the response (`undefined` without a body).
 * @throws ApiError, or the signal's AbortError if the caller aborted.
 */
export async function callApi<T>(path: string, request: Request = {}): Promise<T> {
  const { response, done } = await send(path, request);
  const body = response.text().catch((error) => {
    // The status says that it was refused.
    if (!response.ok) return '';
    throw request.signal?.aborted ? error : unreachable(request);
  });
  const text = await body.finally(done);
  const json = parse(text);
  if (!response.ok) throw toApiError(response, json);
  return json as T;
}

/** Reads a file, which may take longer than other calls; with a body, by POST. */
export async function download(path: string, token: string, body?: unknown): Promise<Blob> {
  const { response } = await send(path, {
    token,
    slow: true,
    method: body === undefined ? 'GET' : 'POST',
    body,
  });
  if (!response.ok) throw toApiError(response, parse(await response.text()));
  return response.blob();
}

/**
 * Opens an event stream; the response has no end.
 * @throws ApiError, also if the response is no event stream.
 */
export async function openStream(
  path: string,
  token: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const accept = { Accept: 'text/event-stream', ...headers };
  const { response } = await send(path, { token, headers: accept, signal, slow: true });
  if (!response.ok) throw toApiError(response, parse(await response.text().catch(() => '')));
  if (!response.body) throw unreachable({});
  return response.body;
}

/** Without an answer it is not known whether a call that may change something was carried out. */
function unreachable({ method = 'GET' }: Request): ApiError {
  const code = method === 'GET' ? 'unreachable' : 'unanswered';
  return new ApiError(0, code, 'The server could not be reached.');
}

async function send(path: string, request: Request) {
  const { method = 'GET', token, body, headers, signal, keepalive, slow } = request;
  const limit = slow ? { signal: signal ?? null, clear() {} } : timeLimit(signal);
  const sent = Date.now();
  try {
    const response = await fetch(path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: limit.signal,
      cache: 'no-store',
      ...(keepalive ? { keepalive } : {}),
    });
    noteTime(response.headers.get('Date'), sent);
    return { response, done: limit.clear };
  } catch (error) {
    limit.clear();
    throw signal?.aborted ? error : unreachable(request);
  }
}

/**
 * A signal that aborts when the time is up, or together with `signal`, until it is cleared. Safari
 * has `AbortSignal.timeout` from version 16, and `AbortSignal.any` from version 17.4 only.
 */
function timeLimit(signal?: AbortSignal) {
  const limit = new AbortController();
  const abort = () => {
    limit.abort(signal?.reason);
    signal?.removeEventListener('abort', abort);
  };
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  const timer = setTimeout(abort, timeout);
  const clear = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { signal: limit.signal, clear };
}

function parse(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function messagesOf(fields: { field: string; message: string }[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]));
}

/**
 * Reads both error formats: problem documents (RFC 9457) and the authentication service's `{code,
 * message}`.
 */
function toApiError(response: Response, json: unknown): ApiError {
  const body = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  const text = (...keys: string[]) =>
    keys.map((key) => body[key]).find((it) => typeof it === 'string') as string;
  const { reasons } = (body.weak_password ?? body) as { reasons?: string[] };
  const wait = Number(response.headers.get('Retry-After'));
  return new ApiError(
    response.status,
    text('code', 'error_code') ?? '',
    text('message', 'msg', 'detail', 'error_description', 'error', 'title') ??
      `The server answered ${response.status}.`,
    {
      ...(reasons ? { reasons } : {}),
      ...(body.answered ? { answered: body.answered as AnsweredSince } : {}),
      ...(body.current_assignee ? { currentAssignee: body.current_assignee as { id: string } } : {}),
      ...(text('current_status') ? { currentStatus: text('current_status') } : {}),
      ...(wait > 0 ? { retryAfter: wait } : {}),
      ...(Array.isArray(body.fields) ? { fields: messagesOf(body.fields) } : {}),
    },
  );
}
