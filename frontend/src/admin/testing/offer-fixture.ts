// An offer in the panel of a request, and the part of the server that keeps, prices and sends it.
import card from '@seeds/offers/rate-card.json';
import { answers, button, open, quote, says, signedIn, startServer } from './admin-page-fixture';

export const draft = {
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
export const sent = {
  version: 1,
  state: 'sent',
  recipient: quote.email,
  total_cents: 635_000,
  is_weekly: false,
  valid_until: '2099-12-09',
  sent_at: '2026-11-25T04:00:00.000Z',
  event: 7,
};

type Known = Record<string, unknown> & { revision: number };

const begun: Known = {
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

/** What the server has, and what was done. */
export const seen = {
  offer: begun,
  /** The calls that change something, with their bodies. */
  calls: [] as [string, Record<string, unknown>][],
  /** What a person has done in the browser, counted. */
  inputs: 0,
};

/** Changes the offer that the server has. */
export function setOffer(part: Partial<Known>) {
  seen.offer = { ...seen.offer, ...part } as Known;
}

export const rates = { card, insurance: '', valid_days: 14, conditions: [] };

type Posts = { posts: { officers: number }[] };

/** The server's price: 168 hours, with the additions for nights and the weekend, and the tax. */
export function priceOf({ posts: [post] }: Posts): [number, unknown] {
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

export function press(name: string) {
  seen.inputs += 1;
  button(name).click();
}

export function choose(label: string, value: string) {
  seen.inputs += 1;
  const found = [...document.querySelectorAll('label')].find((it) => it.textContent === label);
  const field = document.getElementById(found?.htmlFor ?? '') as HTMLInputElement;
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The server of a request without an offer yet. */
export function startOffers() {
  startServer();
  Object.assign(seen, { offer: begun, calls: [], inputs: 0 });
  answers['GET /api/admin/rates'] = () => [200, { version: 1, is_sample: false, rates, draft: null }];
  answers['POST /api/admin/inbox/q1/offers'] = () => {
    answers['GET /api/admin/inbox/q1/offers'] = () => [200, { offers: [seen.offer] }];
    return [201, seen.offer];
  };
  answers['POST /api/admin/offers/price'] = (body) =>
    priceOf((body as unknown as { draft: { terms: Posts } }).draft.terms);
  answers['PUT /api/admin/offers/GP-2K7Q-1'] = (body) => {
    seen.calls.push(['save', body]);
    setOffer({ draft: (body as unknown as Known).draft, revision: seen.offer.revision + 1 });
    return [200, seen.offer];
  };
  answers['POST /api/admin/offers/GP-2K7Q-1/send'] = (body) => {
    seen.calls.push(['send', body]);
    setOffer({ state: 'sent', version: 1, versions: [sent] });
    return [201, seen.offer];
  };
  answers['POST /api/admin/inbox/q1/undo'] = (body) => {
    seen.calls.push(['undo', body]);
    setOffer({ state: 'draft', version: 0, versions: [] });
    return [200, quote];
  };
}

export async function openEditor() {
  signedIn();
  await open('/admin?quote=q1');
  await says('Make an offer');
  press('Make an offer');
  await says('Send offer');
}
