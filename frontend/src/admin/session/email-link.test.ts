// @vitest-environment happy-dom
// An email link is opened although answers of the server are lost.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ana, answers, open, says, startServer, stopServer } from '../testing/admin-page-fixture';

const link = '/admin#access_token=v4.public.a.b&expires_in=900&refresh_token=r&token_type=bearer&type=invite';

beforeEach(startServer);
afterEach(() => {
  vi.useRealTimers();
  stopServer();
});

it('opens an invitation although the first answers are lost', async () => {
  const addresses: string[] = [];
  answers['GET /auth/v1/user'] = () => {
    addresses.push(location.hash);
    return addresses.length < 3 ? [503, {}] : [200, ana];
  };
  await open(link);
  await says('Choose your password');
  // A reload in between completes the link from the address.
  expect(addresses).toHaveLength(3);
  for (const address of addresses) expect(address).toContain('access_token=');
  expect(location.href).toMatch(/\/admin\?view=welcome$/);
});

it('keeps an invitation for a reload while the server cannot be reached', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const read = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  answers['GET /auth/v1/user'] = read;
  await open(link);
  await vi.waitFor(() => expect(read).toHaveBeenCalled(), 10_000);
  await vi.advanceTimersByTimeAsync(60_000);
  await says('reload this page to try again');
  answers['GET /auth/v1/user'] = () => [200, ana];
  await open(location.pathname + location.search + location.hash);
  await says('Choose your password');
  expect(location.hash).toBe('');
});
