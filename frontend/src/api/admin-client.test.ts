// The content of a request, and the error for every failure.
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError, callApi } from './admin-client';

afterEach(() => {
  vi.unstubAllGlobals();
});

function server(status: number, body: string, headers: Record<string, string> = {}) {
  const fetched = vi.fn(async () => new Response(status === 204 ? null : body, { status, headers }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

async function refused(made: Promise<unknown>): Promise<ApiError> {
  const error = await made.then(
    () => undefined,
    (error) => error,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error;
}

it('sends the token and the body, and returns the response', async () => {
  const fetched = server(200, '{"id":"1"}');
  expect(await callApi('/api/x', { method: 'PATCH', token: 't', body: { status: 'completed' } })).toEqual({
    id: '1',
  });
  const [, sent] = fetched.mock.calls[0] as unknown as [string, RequestInit];
  expect(sent.headers).toMatchObject({ Authorization: 'Bearer t', 'Content-Type': 'application/json' });
  expect(sent.body).toBe('{"status":"completed"}');
});

it('returns undefined for a response without a body', async () => {
  server(204, '');
  expect(await callApi('/auth/v1/logout', { method: 'POST' })).toBeUndefined();
});

it('reads a problem document', async () => {
  server(409, '{"title":"Conflict","status":409,"detail":"It has moved on.","current_status":"completed"}');
  const error = await refused(callApi('/api/x'));
  expect([error.status, error.message, error.details.currentStatus]).toEqual([
    409,
    'It has moved on.',
    'completed',
  ]);
});

it('reads the errors of the authentication service', async () => {
  server(422, '{"code":"weak_password","message":"Too short.","weak_password":{"reasons":["length"]}}');
  const error = await refused(callApi('/auth/v1/user'));
  expect([error.code, error.message, error.details.reasons]).toEqual([
    'weak_password',
    'Too short.',
    ['length'],
  ]);
});

it('reads Retry-After', async () => {
  server(429, '{"code":"over_request_rate_limit","message":"Slow down"}', { 'Retry-After': '30' });
  expect((await refused(callApi('/auth/v1/token'))).details.retryAfter).toBe(30);
});

it.each([500, 502, 503, 504, 520])('treats %i as transient', async (status) => {
  server(status, '<html>Bad gateway</html>');
  expect((await refused(callApi('/api/x'))).transient).toBe(true);
});

it.each([400, 401, 403, 404, 409, 422, 429, 511])('does not treat %i as transient', async (status) => {
  server(status, '{}');
  expect((await refused(callApi('/api/x'))).transient).toBe(false);
});

it('treats a network error as transient', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const error = await refused(callApi('/api/x'));
  expect([error.status, error.transient]).toEqual([0, true]);
});

it('passes on the abort of the caller', async () => {
  const abort = new AbortController();
  abort.abort();
  vi.stubGlobal('fetch', () => Promise.reject(new DOMException('gone', 'AbortError')));
  await expect(callApi('/api/x', { signal: abort.signal })).rejects.toThrow('gone');
});

/** An answer that breaks off: its status has arrived, its body does not. */
function brokenOff(reason: Error) {
  const body = new ReadableStream({ start: (stream) => stream.error(reason) });
  vi.stubGlobal('fetch', async () => new Response(body, { status: 200 }));
}

it('takes an answer that breaks off for none', async () => {
  brokenOff(new TypeError('network error'));
  expect((await refused(callApi('/api/x'))).transient).toBe(true);
});

it('passes on the abort of the caller while the answer arrives', async () => {
  const given = new DOMException('given up', 'AbortError');
  brokenOff(given);
  await expect(callApi('/api/x', { signal: AbortSignal.abort() })).rejects.toBe(given);
});
