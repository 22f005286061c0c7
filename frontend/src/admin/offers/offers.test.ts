// @vitest-environment happy-dom
// Offers in the panel of a request: from the request to a sent offer, and what the server refuses.
import card from '@seeds/offers/rate-card.json';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  hold,
  open,
  quote,
  says,
  signedIn,
  startServer,
  stopServer,
} from '../testing/admin-page-fixture';

const draft = {
  terms: {
    start: '2099-12-01',
    end: '2099-12-07',
    notice_hours: null,
    posts: [
      {
        title: '',
        city: 'Katy',
        state: 'TX',
        class: 'fire-watch',
        officers: 1,
        schedule: { kind: 'always', from: '08:00' },
        same_officers: false,
        equipment: [],
      },
    ],
    manual: [],
    discount: null,
    tax_exemption: null,
  },
  message: '',
  valid_until: '2099-12-09',
  unconfirmed_schedules: [] as number[],
};
const sent = {
  version: 1,
  state: 'sent',
  recipient: quote.email,
  total_cents: 635_000,
  is_weekly: false,
  valid_until: '2099-12-09',
  sent_at: '2026-11-25T04:00:00.000Z',
  event: 7,
};
let offer: Record<string, unknown> & { revision: number };
/** The calls that change something, with their bodies. */
let calls: [string, Record<string, unknown>][];

type Posts = { posts: { officers: number }[] };

/** The server's price: 168 hours, with the additions for nights and the weekend, and the tax. */
function priceOf({ posts: [post] }: Posts): [number, unknown] {
  const officers = post?.officers ?? 0;
  if (officers > 500) {
    const fields = [{ field: 'posts.0.officers', message: 'Enter 1 to 500.' }];
    return [422, { detail: 'Some fields need a correction.', fields }];
  }
  const people = officers === 1 ? '1 officer' : `${officers} officers`;
  const row = { kind: 'line', title: '', parts: [], amount: '$1.00', is_manual: false };
  const rows = [
    { ...row, title: 'Fire watch officer', parts: [`80 h × ${people} × $34.00`] },
    { ...row, title: 'Texas sales tax' },
    { ...row, kind: 'total', title: 'Total for the term' },
  ];
  return [200, { price: { total: officers * 639_281, month: null }, rows }];
}

/** Counts what a person does in the browser. */
let inputs = 0;

function press(name: string) {
  inputs += 1;
  button(name).click();
}

function choose(label: string, value: string) {
  inputs += 1;
  const found = [...document.querySelectorAll('label')].find((it) => it.textContent === label);
  const field = document.getElementById(found?.htmlFor ?? '') as HTMLInputElement;
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

// The panel loads it later: its first load is slow here.
beforeAll(() => import('./offers').then(() => {}));
beforeEach(() => {
  startServer();
  inputs = 0;
  calls = [];
  offer = {
    number: 'GP-2K7Q-1',
    state: 'draft',
    version: 0,
    revision: 1,
    draft,
    asked: [],
    versions: [],
    request: { id: 'q1', name: 'Marta Núñez' },
    created_at: '2026-11-25T03:59:00.000Z',
    updated_at: '2026-11-25T03:59:00.000Z',
  };
  const rates = { card, insurance: '', valid_days: 14, conditions: [] };
  answers['GET /api/admin/rates'] = () => [200, { version: 1, is_sample: false, rates, draft: null }];
  answers['POST /api/admin/inbox/q1/offers'] = () => {
    answers['GET /api/admin/inbox/q1/offers'] = () => [200, { offers: [offer] }];
    return [201, offer];
  };
  answers['POST /api/admin/offers/price'] = (body) =>
    priceOf((body as unknown as { draft: { terms: Posts } }).draft.terms);
  answers['PUT /api/admin/offers/GP-2K7Q-1'] = (body) => {
    calls.push(['save', body]);
    offer = { ...offer, draft: (body as unknown as typeof offer).draft, revision: offer.revision + 1 };
    return [200, offer];
  };
  answers['POST /api/admin/offers/GP-2K7Q-1/send'] = (body) => {
    calls.push(['send', body]);
    offer = { ...offer, state: 'sent', version: 1, versions: [sent] };
    return [201, offer];
  };
  answers['POST /api/admin/inbox/q1/undo'] = (body) => {
    calls.push(['undo', body]);
    offer = { ...offer, state: 'draft', version: 0, versions: [] };
    return [200, quote];
  };
});
afterEach(stopServer);

async function openEditor() {
  signedIn();
  await open('/admin?quote=q1');
  await says('Make an offer');
  press('Make an offer');
  await says('Send offer');
}

it('makes and sends the commonest offer with 12 inputs at most', async () => {
  await openEditor();
  await says('80 h × 1 officer × $34.00');
  await says('Texas sales tax');
  expect(document.querySelector('.offer-total')?.textContent).toMatch(/Total \$6,\d{3}\.\d\d/);
  press('Send offer');
  await says('It leaves in ten seconds.');
  await says('Waiting');
  expect(calls).toEqual([['send', { revision: 1, after: 0, total_cents: 639_281 }]]);
  expect(inputs).toBeLessThanOrEqual(12);
});

it('saves the draft by itself, with a new total', async () => {
  await openEditor();
  choose('How many', '2');
  await says('80 h × 2 officers × $34.00');
  await says('Draft saved.');
  await vi.waitFor(() => expect(calls.map(([name]) => name)).toEqual(['save']));
  const [, body] = calls[0] ?? [];
  expect(body).toMatchObject({ revision: 1, draft: { terms: { posts: [{ officers: 2 }] } } });
});

it('sends no schedule that no person has confirmed: one press does', async () => {
  const words = [{ what: 'schedule', words: 'around the clock' }];
  offer = { ...offer, draft: { ...draft, unconfirmed_schedules: [0] }, asked: words };
  await openEditor();
  await says('Taken from “around the clock”.');
  await says('Texas sales tax');
  press('Send offer');
  await says('These days and hours are only proposed. Confirm them, or enter others.');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Confirm days and hours'));
  expect(calls).toEqual([]);
  press('Confirm days and hours');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Confirmed.'));
  press('Send offer');
  await says('It leaves in ten seconds.');
  expect(calls.map(([name]) => name)).toEqual(['save', 'send']);
  expect(calls[0]?.[1]).toMatchObject({ draft: { unconfirmed_schedules: [] } });
});

it('takes a schedule that is chosen for confirmed', async () => {
  offer = { ...offer, draft: { ...draft, unconfirmed_schedules: [0] } };
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
  expect(calls).toEqual([]);
});

it('keeps the price of the last complete state while a field is unfinished, and says so', async () => {
  await openEditor();
  await says('Texas sales tax');
  const total = document.querySelector('.offer-total')?.textContent;
  choose('How many', '');
  await says('Of the last complete state. To do:');
  await says('Enter a number of officers.');
  expect(document.querySelector('.offer-total')?.textContent).toBe(total);
  expect(document.querySelector('.offer-foot')?.textContent).toContain('last complete');
  choose('How many', '2');
  await says('80 h × 2 officers × $34.00');
  expect(document.body.textContent).not.toContain('last complete');
  await says('Draft saved.');
});

it('dims the price until the server has priced a change, and sends only what it has shown', async () => {
  await openEditor();
  await says('Texas sales tax');
  const price = () => document.querySelector('.offer-price');
  expect(price()?.getAttribute('aria-busy')).toBe('false');
  const release = hold('POST /api/admin/offers/price');
  choose('How many', '2');
  await vi.waitFor(() => expect(price()?.getAttribute('aria-busy')).toBe('true'));
  expect(price()?.textContent).toContain('$6,392.81');
  press('Send offer');
  release();
  await says('The price is $12,785.62 now. Press the button again to send it.');
  expect(calls.map(([name]) => name)).not.toContain('send');
  press('Send offer');
  await says('It leaves in ten seconds.');
  expect(calls.at(-1)?.[1]).toMatchObject({ total_cents: 1_278_562 });
});

it('names what the server finds wrong, and prices it again', async () => {
  await openEditor();
  await says('Texas sales tax');
  choose('How many', '501');
  await says('Of the last complete state. To do:');
  await says('Enter 1 to 500.');
  answers['POST /api/admin/offers/price'] = () => [503, { detail: 'Busy.' }];
  choose('How many', '3');
  await says('No price:');
  answers['POST /api/admin/offers/price'] = () => priceOf({ posts: [{ officers: 3 }] });
  press('Send offer');
  await says('The price is $19,178.43 now.');
  await says('Draft saved.');
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
  const rates = { card, insurance: '', valid_days: 14, conditions: [] };
  answers['GET /api/admin/rates'] = () => [200, { version: 0, is_sample: true, rates, draft: null }];
  await openEditor();
  await says('These are the prices of a sample');
  expect((button('Send offer') as HTMLButtonElement).disabled).toBe(true);
  expect(button('Publish your own rates').getAttribute('href')).toBe('/admin/rates');
});

it('keeps what was typed when a colleague has changed the draft, and lets one choose', async () => {
  await openEditor();
  const save = answers['PUT /api/admin/offers/GP-2K7Q-1'];
  answers['PUT /api/admin/offers/GP-2K7Q-1'] = () => [409, { detail: 'This draft was changed since.' }];
  offer = { ...offer, revision: 9 };
  choose('City', 'Cypress');
  await says('Not saved: a colleague has changed this draft.');
  answers['PUT /api/admin/offers/GP-2K7Q-1'] = save as never;
  press('Save mine over it');
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.[1]).toMatchObject({ revision: 9, draft: { terms: { posts: [{ city: 'Cypress' }] } } });
  // What was saved is what the next change is made from.
  await says('Draft saved.');
  // The panel of the request has another one.
  const buttons = [...document.querySelectorAll<HTMLElement>('.offer-foot button')];
  buttons.find((it) => it.textContent === 'Close')?.click();
  await vi.waitFor(() => press('Edit'));
  await says('Send offer');
  choose('How many', '2');
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  const saved = { terms: { posts: [{ city: 'Cypress', officers: 2 }] } };
  expect(calls[1]?.[1]).toMatchObject({ revision: 10, draft: saved });
});

it('records an acceptance on the customer’s behalf with a note', async () => {
  offer = { ...offer, state: 'sent', version: 1, versions: [sent] };
  answers['GET /api/admin/inbox/q1/offers'] = () => [200, { offers: [offer] }];
  answers['POST /api/admin/offers/GP-2K7Q-1/answer'] = (body) => {
    calls.push(['answer', body]);
    offer = { ...offer, state: 'accepted', versions: [{ ...sent, state: 'accepted' }] };
    return [200, offer];
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
  expect(calls).toEqual([
    ['answer', { version: 1, answer: 'accepted', note: 'By phone', name: 'Marta Núñez' }],
  ]);
});
