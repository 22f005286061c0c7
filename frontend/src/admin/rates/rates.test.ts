// @vitest-environment happy-dom
// What is typed on the page of the rates is saved when the page is left, and while it is published.
import card from '@seeds/offers/rate-card.json';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
} from '../testing/admin-page-fixture';

type Draft = { revision: number; rates: { card: { classes: Record<string, { title: string }> } } };

/** The names of the first class in the drafts that the server was sent. */
let saved: string[];
let state: object & { rates: Draft['rates'] };

const nameOf = ({ card }: Draft['rates']) => Object.values(card.classes)[0]?.title ?? '';

beforeEach(async () => {
  startServer();
  saved = [];
  const consent = { text: 'I agree.', disclosures: [] };
  const texts = { insurance: '', valid_days: 14, conditions: [], consent, confirmed_by: 'A. Reyes' };
  const published_at = '2026-11-21T03:04:05.678Z';
  state = { version: 1, published_at, is_sample: false, rates: { card, ...texts }, draft: null } as never;
  answers['GET /api/admin/rates'] = () => [200, state];
  answers['GET /api/admin/rates/versions'] = () => [200, { versions: [] }];
  answers['PUT /api/admin/rates/draft'] = (body) => {
    const { revision, rates } = body as unknown as Draft;
    saved.push(nameOf(rates));
    return [200, { ...state, draft: { revision: revision + 1, rates, saved_at: published_at } }];
  };
  signedIn();
  await open('/admin/rates');
  await says('Publish rates');
});
afterEach(stopServer);

const field = () => document.getElementById('site-rates-classes-0-title') as HTMLInputElement;

function type(text: string) {
  field().value = text;
  field().dispatchEvent(new Event('input', { bubbles: true }));
}

it('saves what was typed when the page is left', async () => {
  type('Fire guard');
  await says('Not saved yet.');
  history.pushState(null, '', '/admin');
  await vi.waitFor(() => expect(saved).toEqual(['Fire guard']), { interval: 10, timeout: 10_000 });
});

it('saves what was typed when the tab is closed', async () => {
  type('Fire guard');
  dispatchEvent(new Event('pagehide'));
  await vi.waitFor(() => expect(saved).toEqual(['Fire guard']), { interval: 10, timeout: 10_000 });
});

it('keeps what is typed while the rates are published', async () => {
  let publish = () => {};
  answers['POST /api/admin/rates/publish'] = async () => {
    await new Promise<void>((done) => {
      publish = done;
    });
    return [200, { ...state, version: 2 }];
  };
  type('Fire guard');
  await vi.waitFor(() => expect(button('Publish rates').hasAttribute('disabled')).toBe(false));
  const before = publish;
  button('Publish rates').click();
  await vi.waitFor(() => expect(publish).not.toBe(before));
  type('Fire watch guard');
  publish();
  await says('Rates published');
  expect(field().value).toBe('Fire watch guard');
  await vi.waitFor(() => expect(saved).toEqual(['Fire guard', 'Fire watch guard']), { timeout: 10_000 });
});
