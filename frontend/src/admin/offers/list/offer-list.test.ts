// @vitest-environment happy-dom
// Offers in lists: those of a view, and the value of one in the list of requests.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unbroken } from '../../requests/format';
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
} from '../../testing/admin-page-fixture';

const version = {
  version: 1,
  total_cents: 635_000,
  is_weekly: false,
  valid_until: '2099-12-09',
  sent_at: '2026-11-25T04:00:00.000Z',
};
const offer = {
  number: 'GP-2K7Q-1',
  state: 'draft',
  version: 0,
  versions: [],
  request: { id: 'q1', name: 'Marta Núñez' },
  updated_at: '2026-11-25T03:59:00.000Z',
};

beforeEach(startServer);
afterEach(stopServer);

it('shows the value of an offer in the list of requests', async () => {
  const listed = { number: 'GP-2K7Q-1', state: 'accepted', total_cents: 635_000, is_weekly: true };
  const page = { role: 'admin', requests: [{ ...quote, offer: listed }], next_cursor: null, counts, views };
  answers['GET /api/admin/inbox'] = () => [200, page];
  signedIn();
  await open('/admin');
  await says(`Offer: Accepted, ${unbroken('$6,350.00 a week')}`);
});

it('lists the offers of a view with their values and reasons', async () => {
  const declined = { ...version, state: 'declined', reason: 'Too expensive', answered_by: 'Marta Núñez' };
  answers['GET /api/admin/offers'] = () => [
    200,
    {
      offers: [{ ...offer, state: 'declined', version: 1, versions: [declined] }],
      counts: { declined: 1 },
      totals: { weekly_cents: 0, term_cents: 0 },
      has_more: false,
    },
  ];
  signedIn();
  await open('/admin/offers?show=declined');
  await says('Too expensive');
  await says('$6,350.00');
  expect(button('Marta Núñez').getAttribute('href')).toBe('/admin?view=everything&request=q1');
});

it('keeps the rows of the next page when the list is read again before they come', async () => {
  const of = (name: string) => ({ ...offer, number: name, request: { id: name, name } });
  const page = { counts: { draft: 2 }, totals: { weekly_cents: 0, term_cents: 0 } };
  const waiting: (() => void)[] = [];
  const { fetch } = globalThis;
  let late = false;
  let query = '';
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    query = path;
    return fetch(path, init);
  });
  answers['GET /api/admin/offers'] = async () => {
    const isFirst = query.includes('skip=0');
    if (late && isFirst) await new Promise<void>((done) => waiting.push(done));
    const offers = isFirst ? [of('Ada Byron')] : [of('Ben Cole')];
    return [200, { ...page, offers, has_more: isFirst }];
  };
  signedIn();
  await open('/admin/offers');
  await says('Ada Byron');
  late = true;
  dispatchEvent(new Event('online'));
  button('Load more').click();
  for (let sent = 0; sent < 2; sent += 1) {
    await vi.waitFor(() => expect(waiting).not.toEqual([]));
    waiting.pop()?.();
    await new Promise(setImmediate);
  }
  await says('Ben Cole');
});
