// The time limit of requests, without the functions that older browsers do not have.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { callApi } from './admin-client';
import { callPublicApi } from './public-client';

/** A server that never answers; it rejects the request when its signal aborts. */
function silentServer() {
  vi.stubGlobal(
    'fetch',
    (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('AbortSignal', { abort: AbortSignal.abort });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('sends requests in browsers without AbortSignal.timeout and AbortSignal.any', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"reference":"GP-2K7Q"}'));
  expect(await callPublicApi('POST', '/api/quotes', {})).toEqual({ reference: 'GP-2K7Q' });
  expect(await callApi('/auth/v1/token', { method: 'POST' })).toEqual({ reference: 'GP-2K7Q' });
});

it.each([
  ['the public client', () => callPublicApi('POST', '/api/quotes', {}), 'aborted'],
  ['the client of the admin', () => callApi('/api/x'), 'could not be reached'],
])('gives up a request of %s after twenty seconds', async (_, call, message) => {
  silentServer();
  const failed = vi.fn();
  const done = call().catch(failed);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect(String(failed.mock.calls[0]?.[0])).toContain(message);
});

it('passes on the reason of a caller that gives up before or during a request', async () => {
  silentServer();
  const reason = new DOMException('given up', 'AbortError');
  await expect(callApi('/api/x', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const caller = new AbortController();
  const call = callApi('/api/x', { signal: caller.signal });
  caller.abort(reason);
  await expect(call).rejects.toBe(reason);
});
