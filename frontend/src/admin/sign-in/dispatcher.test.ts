// @vitest-environment happy-dom
// What the dashboard shows a dispatcher.
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  answers,
  counts,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
  views,
} from '../testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

it('shows a dispatcher the requests, the offers and who is on call', async () => {
  const page = { role: 'dispatcher', requests: [], next_cursor: null, counts, views };
  answers['GET /api/admin/inbox'] = () => [200, page];
  const asked: string[] = [];
  answers['GET /api/admin/system'] = () => {
    asked.push('system');
    return [403, {}];
  };
  signedIn();
  await open('/admin?quote=q1');
  await says('Admin Dashboard');
  await says('Marta Núñez');
  await says('Panel is down');
  const links = [...document.querySelectorAll('nav[aria-label="Admin"] a')].map((it) => it.textContent);
  expect(links).toEqual(['Requests', 'Offers', 'On call', 'Account']);
  expect(document.body.textContent).not.toContain('Export');
  expect(document.body.textContent).not.toContain('What we hold');
  expect(asked).toEqual([]);
  for (const address of ['/admin/users', '/admin/site', '/admin/rates']) {
    await open(address);
    await says('Access Denied');
  }
});
