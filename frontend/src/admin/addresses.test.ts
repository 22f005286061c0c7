// @vitest-environment happy-dom
// The views of the desk have addresses of their own, to which the former ones lead.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { open, says, signedIn, startServer, stopServer } from './testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

it.each([
  ['/admin?view=offers&show=declined', '/admin/offers?show=declined'],
  ['/admin?view=users', '/admin/users'],
  ['/admin?view=account', '/admin/account'],
])('leads from %s to %s', async (former, address) => {
  signedIn();
  await open(former);
  await vi.waitFor(() => expect(location.pathname + location.search).toBe(address));
  const name = address.slice('/admin/'.length).split('?')[0] ?? '';
  await says(name.charAt(0).toUpperCase() + name.slice(1));
});
