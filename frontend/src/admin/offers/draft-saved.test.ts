// @vitest-environment happy-dom
// The draft of an offer while it is edited: saved and priced by the server as one types.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { answers, hold, says, stopServer } from '../testing/admin-page-fixture';
import { choose, openEditor, press, priceOf, seen, setOffer, startOffers } from '../testing/offer-fixture';

// The panel loads it later: its first load is slow here.
beforeAll(() => import('./offers').then(() => {}));
beforeEach(startOffers);
afterEach(stopServer);

it('saves the draft by itself, with a new total', async () => {
  await openEditor();
  choose('How many', '2');
  await says('80 h × 2 officers × $34.00');
  await says('Draft saved.');
  await vi.waitFor(() => expect(seen.calls.map(([name]) => name)).toEqual(['save']));
  const [, body] = seen.calls[0] ?? [];
  expect(body).toMatchObject({ revision: 1, draft: { terms: { posts: [{ officers: 2 }] } } });
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
  expect(seen.calls.map(([name]) => name)).not.toContain('send');
  press('Send offer');
  await says('It leaves in ten seconds.');
  expect(seen.calls.at(-1)?.[1]).toMatchObject({ total_cents: 1_278_562 });
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

it('keeps what was typed when a colleague has changed the draft, and lets one choose', async () => {
  await openEditor();
  const save = answers['PUT /api/admin/offers/GP-2K7Q-1'];
  answers['PUT /api/admin/offers/GP-2K7Q-1'] = () => [409, { detail: 'This draft was changed since.' }];
  setOffer({ revision: 9 });
  choose('City', 'Cypress');
  await says('Not saved: a colleague has changed this draft.');
  answers['PUT /api/admin/offers/GP-2K7Q-1'] = save as never;
  press('Save mine over it');
  await vi.waitFor(() => expect(seen.calls).toHaveLength(1));
  expect(seen.calls[0]?.[1]).toMatchObject({
    revision: 9,
    draft: { terms: { posts: [{ city: 'Cypress' }] } },
  });
  // What was saved is what the next change is made from.
  await says('Draft saved.');
  // The panel of the request has another one.
  const buttons = [...document.querySelectorAll<HTMLElement>('.offer-foot button')];
  buttons.find((it) => it.textContent === 'Close')?.click();
  await vi.waitFor(() => press('Edit'));
  await says('Send offer');
  choose('How many', '2');
  await vi.waitFor(() => expect(seen.calls).toHaveLength(2));
  const saved = { terms: { posts: [{ city: 'Cypress', officers: 2 }] } };
  expect(seen.calls[1]?.[1]).toMatchObject({ revision: 10, draft: saved });
});
