// @vitest-environment happy-dom
// Offers in the panel of a request: from the request to a sent offer, and what the server refuses.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { answers, button, open, says, signedIn, stopServer } from '../testing/admin-page-fixture';
import {
  choose,
  draft,
  openEditor,
  press,
  rates,
  seen,
  sent,
  setOffer,
  startOffers,
} from '../testing/offer-fixture';

// The panel loads it later: its first load is slow here.
beforeAll(() => import('./offers').then(() => {}));
beforeEach(startOffers);
afterEach(stopServer);

it('makes and sends the commonest offer with 12 inputs at most', async () => {
  await openEditor();
  await says('80 h × 1 officer × $34.00');
  await says('Texas sales tax');
  expect(document.querySelector('.offer-total')?.textContent).toMatch(/Total \$6,\d{3}\.\d\d/);
  press('Send offer');
  await says('It leaves in ten seconds.');
  await says('Waiting');
  expect(seen.calls).toEqual([['send', { revision: 1, after: 0, total_cents: 639_281 }]]);
  expect(seen.inputs).toBeLessThanOrEqual(12);
});

it('sends no schedule that no person has confirmed: one press does', async () => {
  const words = [{ what: 'schedule', words: 'around the clock' }];
  setOffer({ draft: { ...draft, unconfirmed_schedules: [0] }, asked: words });
  await openEditor();
  await says('Taken from “around the clock”.');
  await says('Texas sales tax');
  press('Send offer');
  await says('These days and hours are only proposed. Confirm them, or enter others.');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Confirm days and hours'));
  expect(seen.calls).toEqual([]);
  press('Confirm days and hours');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Confirmed.'));
  press('Send offer');
  await says('It leaves in ten seconds.');
  expect(seen.calls.map(([name]) => name)).toEqual(['save', 'send']);
  expect(seen.calls[0]?.[1]).toMatchObject({ draft: { unconfirmed_schedules: [] } });
});

it('takes a schedule that is chosen for confirmed', async () => {
  setOffer({ draft: { ...draft, unconfirmed_schedules: [0] } });
  await openEditor();
  await says('Proposed: the customer did not say it plainly.');
  await says('Texas sales tax');
  choose('Schedule', 'weekly');
  await says('Add a shift');
  press('Send offer');
  await says('It leaves in ten seconds.');
});

it('sends nothing while a field is wrong, and says which', async () => {
  await openEditor();
  choose('How many', '');
  await says('Not saved yet: some fields are not complete.');
  press('Send offer');
  await vi.waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('posts.0.officers'));
  await says('Enter a number of officers.');
  expect(seen.calls).toEqual([]);
});

it('shows the fields that the server refuses', async () => {
  answers['POST /api/admin/offers/GP-2K7Q-1/send'] = () => [
    422,
    { detail: 'Some fields need a correction.', fields: [{ field: 'start', message: 'It is too early.' }] },
  ];
  await openEditor();
  await says('Texas sales tax');
  press('Send offer');
  await says('It is too early.');
  await says('Some fields need a correction.');
});

it('does not send the prices of the sample, and says where to publish', async () => {
  answers['GET /api/admin/rates'] = () => [200, { version: 0, is_sample: true, rates, draft: null }];
  await openEditor();
  await says('These are the prices of a sample');
  expect((button('Send offer') as HTMLButtonElement).disabled).toBe(true);
  expect(button('Publish your own rates').getAttribute('href')).toBe('/admin/rates');
});

it('records an acceptance on the customer’s behalf with a note', async () => {
  setOffer({ state: 'sent', version: 1, versions: [sent] });
  answers['GET /api/admin/inbox/q1/offers'] = () => [200, { offers: [seen.offer] }];
  answers['POST /api/admin/offers/GP-2K7Q-1/answer'] = (body) => {
    seen.calls.push(['answer', body]);
    setOffer({ state: 'accepted', versions: [{ ...sent, state: 'accepted' }] });
    return [200, seen.offer];
  };
  signedIn();
  await open('/admin?quote=q1');
  await says('They accept');
  press('They accept');
  await says('How did they accept?');
  press('Record the acceptance');
  await says('Say how the customer has accepted.');
  choose('How did they accept?', 'By phone');
  press('Record the acceptance');
  await says('Receipt');
  expect(seen.calls).toEqual([
    ['answer', { version: 1, answer: 'accepted', note: 'By phone', name: 'Marta Núñez' }],
  ]);
});
