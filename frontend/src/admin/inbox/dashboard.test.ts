// @vitest-environment happy-dom
// The request list on the admin page: read, moved, missing, incomplete, and a request that a link
// opens.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  counts,
  open,
  quote,
  says,
  signedIn,
  startServer,
  stopServer,
  views,
} from '../testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

it('reads the list once from signing in to the first row', async () => {
  const addresses: string[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, request?: RequestInit) => {
    if (/^\/api\/admin\/inbox\?kind=.*limit=50$/.test(path)) addresses.push(path);
    return fetch(path, request);
  });
  signedIn();
  await open('/admin?status=pending&q=katy');
  await says('Katy, TX');
  expect(addresses).toEqual(['/api/admin/inbox?kind=quote&status=pending&q=katy&limit=50']);
});

it('moves a quote and says so', async () => {
  signedIn();
  await open();
  await says('Katy, TX');
  button('Accept').click();
  await says('Status Updated');
  await says('Quote status changed to in_progress.');
  await vi.waitFor(() => expect(document.querySelector('.badge')?.textContent).toBe('in progress'));
  expect(button('Complete')).toBeTruthy();
});

it('shows the current status when another dispatcher was faster', async () => {
  signedIn();
  answers['PATCH /api/admin/inbox/q1'] = () => [409, { detail: 'Stale', current_status: 'cancelled' }];
  answers['GET /api/admin/inbox/q1'] = () => [
    200,
    { ...quote, status: 'cancelled', history: [], related: [], files: [] },
  ];
  await open();
  await says('Katy, TX');
  button('Accept').click();
  await says('Failed to update quote status.');
  await says('Another dispatcher already took this: it is cancelled now.');
});

it('says so when there is nothing, and when the list cannot be had', async () => {
  signedIn();
  answers['GET /api/admin/inbox'] = () => [
    200,
    { role: 'admin', requests: [], next_cursor: null, counts, views },
  ];
  await open();
  await says('No quote requests found.');
  await open('/admin/users');
  await says('Accounts');
  answers['GET /api/admin/inbox'] = () => [500, {}];
  history.pushState(null, '', '/admin?status=pending');
  await says('Failed to fetch quotes. Please try again.');
  expect(button('Try again')).toBeTruthy();
});

it('says that the newest requests may be missing from a search', async () => {
  signedIn();
  answers['GET /api/admin/inbox'] = () => [
    200,
    { requests: [quote], next_cursor: null, counts, views, search_incomplete: true },
  ];
  await open('/admin?q=katy');
  await says('The newest requests may be missing from this search.');
});

it('offers the nearest words where a search finds nothing', async () => {
  signedIn();
  answers['GET /api/admin/inbox'] = () => [
    200,
    { requests: [], next_cursor: null, counts: {}, views, search_nearest: 'houston' },
  ];
  await open('/admin?q=huoston');
  await says('No request has these words. The nearest that some have: houston');
});

it('says why a search of signs finds nothing', async () => {
  signedIn();
  answers['GET /api/admin/inbox'] = () => [200, { requests: [], next_cursor: null, counts: {}, views }];
  await open('/admin?q=%25');
  await says('A search needs a letter or a digit.');
});

it('says that quotes could not be fetched where the very first call fails', async () => {
  signedIn();
  answers['GET /api/admin/inbox'] = () => [500, {}];
  await open();
  await says('Failed to fetch quotes. Please try again.');
  answers['GET /api/admin/inbox'] = () => [200, { requests: [quote], next_cursor: null, counts, views }];
  button('Try again').click();
  await says('Katy, TX');
});

it('opens the quote that a mail links to, whole', async () => {
  signedIn();
  answers['GET /api/admin/inbox'] = () => [
    200,
    { role: 'admin', requests: [], next_cursor: null, counts, views },
  ];
  await open('/admin?quote=q1');
  await says('Marta Núñez');
  await says('Panel is down');
  await says('google');
  expect(document.querySelector('a[href="tel:+17135550188"]')).toBeTruthy();
  expect(document.querySelector('a[href="mailto:marta@property.example"]')).toBeTruthy();
});

it('shows the clicks on phone links, and nothing if there are none', async () => {
  answers['GET /api/admin/taps'] = () => [200, { pages: [] }];
  signedIn();
  await open();
  await says('Katy, TX');
  expect(document.querySelector('.call-clicks')).toBeNull();
  answers['GET /api/admin/taps'] = () => [
    200,
    {
      pages: [
        { page: '/', taps: 1200 },
        { page: '/contact', taps: 34 },
      ],
    },
  ];
  await open();
  await says('1,234 call clicks in 30 days');
});

it('shows in red that an emergency may reach no one', async () => {
  const gap = 'Nobody is on call from Saturday, November 28, 2026 at 12:00 AM CST.';
  answers['GET /api/admin/system'] = () => [200, { problems: [gap, 'No backup was made yet.'] }];
  signedIn();
  await open();
  await says(gap);
  const problems = [...document.querySelectorAll('.desk-problems > li, .desk-warnings li')];
  expect(problems.map((problem) => problem.className)).toEqual(['overdue', '']);
});

it('says when no backups are made', async () => {
  answers['GET /api/admin/system'] = () => [200, { problems: [], backups_missing: true }];
  signedIn();
  await open();
  await says('No backups are made.');
});

it('says where a search has found a request that does not show it, and names the columns', async () => {
  const found_in = [{ request: 'q1', part: 'note', excerpt: 'Gate code 4711' }];
  answers['GET /api/admin/inbox'] = () => [
    200,
    { requests: [quote], next_cursor: null, counts, views, found_in },
  ];
  signedIn();
  await open('/admin?q=4711');
  await says('Note: Gate code 4711');
  const row = document.querySelector('.row')?.textContent ?? '';
  for (const name of ['Service: ', 'Place: Katy, TX', 'Customer: ', 'Status: ']) expect(row).toContain(name);
  const heads = document.querySelector('.row-heads');
  expect(heads?.textContent).toBe('DueServicePlaceStartsCustomerCall or assignedStatusValue');
});

it('has the saved filters as tabs with counts', async () => {
  answers['GET /api/admin/filters'] = () => [
    200,
    { filters: [{ id: 'f1', name: 'Texas', query: 'state=TX&status=pending', shared: false, own: true }] },
  ];
  signedIn();
  await open('/admin?status=pending&state=TX');
  await says('Texas');
  await vi.waitFor(() => {
    const tab = document.querySelector('.views .saved-tab');
    expect(tab?.textContent).toBe(`Texas ${counts.pending}`);
    expect(tab?.getAttribute('aria-current')).toBe('true');
  });
});
