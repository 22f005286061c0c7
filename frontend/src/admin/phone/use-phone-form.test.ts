// @vitest-environment happy-dom
// A request by phone: stored once however often it is sent, and forgotten when it was stored.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
  typeInto,
} from '../testing/admin-page-fixture';

// happy-dom chooses no radio button by the value of its list.
Object.defineProperty(RadioNodeList.prototype, 'value', {
  set(this: NodeListOf<HTMLInputElement>, value: string) {
    for (const radio of this) radio.checked = radio.value === value;
  },
});

const phone = 'POST /api/admin/inbox/phone';

/** The idempotency keys that the server was sent. */
let keys: unknown[] = [];
/** The draft that the server has. */
let draft: unknown;

beforeEach(() => {
  startServer();
  keys = [];
  draft = undefined;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, request?: RequestInit) => {
    const { 'idempotency-key': key } = (request?.headers ?? {}) as Record<string, string>;
    if (key) keys.push(key);
    return fetch(path, request);
  });
  answers['PUT /api/admin/inbox/phone/drafts/phone'] = ({ fields }) => {
    draft = { form: 'phone', fields };
    return [204, undefined];
  };
  answers['GET /api/admin/inbox/phone'] = () => [200, { draft: draft ?? null }];
  answers[phone] = () => {
    draft = undefined;
    return [201, { ...quote, source: 'phone' }];
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-11-26T16:30') });
});
afterEach(() => {
  vi.useRealTimers();
  stopServer();
});

const form = () => document.querySelector<HTMLFormElement>('.phone-form');
const value = (name: string) =>
  document.querySelector<HTMLInputElement>(`.phone-form [name="${name}"]`)?.value;

async function openForm() {
  button('Phone request').click();
  await vi.waitFor(() => expect(form()).toBeTruthy());
}

async function typeCall() {
  signedIn();
  await open();
  await says('Katy, TX');
  await openForm();
  typeInto('phone', '713 555 0188');
  typeInto('firstName', 'Walter');
  typeInto('serviceType', 'fire-watch');
}

const store = () => form()?.requestSubmit();

it('keeps its key while no answer comes, also after it was closed', async () => {
  const stored = answers[phone] as NonNullable<(typeof answers)[string]>;
  answers[phone] = () => [0, undefined];
  await typeCall();
  document.querySelector<HTMLInputElement>('[name="promise"][value="today"]')?.click();
  store();
  const alert = () => document.querySelector('.phone-form [role="alert"]')?.textContent;
  await vi.waitFor(() => expect(alert()).toBeTruthy());
  await vi.advanceTimersByTimeAsync(60_000);
  store();
  await vi.waitFor(() => expect(keys).toHaveLength(2));
  button('Close').click();
  await vi.waitFor(() => expect(form()).toBeNull());
  await openForm();
  await vi.waitFor(() => expect(value('firstName')).toBe('Walter'));
  answers[phone] = stored;
  store();
  await vi.waitFor(() => expect(form()).toBeNull());
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);

  // The same words once more are another call.
  await openForm();
  typeInto('phone', '713 555 0188');
  typeInto('firstName', 'Walter');
  typeInto('serviceType', 'fire-watch');
  document.querySelector<HTMLInputElement>('[name="promise"][value="today"]')?.click();
  store();
  await vi.waitFor(() => expect(new Set(keys).size).toBe(2));
});

it('is empty after a call was stored', async () => {
  await typeCall();
  const answer = hold(phone);
  store();
  await vi.waitFor(() => expect(keys).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(1000);
  answer();
  await vi.waitFor(() => expect(form()).toBeNull());
  await openForm();
  await vi.advanceTimersByTimeAsync(1000);
  expect(value('firstName')).toBe('');
});
