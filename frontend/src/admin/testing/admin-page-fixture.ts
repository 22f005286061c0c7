// Fixture for the tests of the admin page: a small server behind `fetch`, and the page in a fresh
// document, operated as by a user.
import { expect, vi } from 'vitest';

export const ana = { id: 'a', email: 'ana@guardpost.example', created_at: '2026-11-01T00:00:00.000Z' };
export const counts = { pending: 1, in_progress: 0, completed: 0, cancelled: 0 };
export const views = { quotes: 1, attention: 1, mine: 0, messages: 0, everything: 1, held: 0, unmatched: 0 };
export const quote = {
  id: 'q1',
  created_at: '2026-11-21T03:04:05.678Z',
  updated_at: '2026-11-21T03:04:05.678Z',
  first_name: 'Marta',
  last_name: 'Núñez',
  email: 'marta@property.example',
  phone: '(713) 555-0188',
  company: null,
  kind: 'quote',
  source: 'web',
  reference: 'GP-2K7Q',
  service: 'fire-watch',
  due_at: '2026-11-22T03:04:05.678Z',
  awaits_call: true,
  held: false,
  held_reasons: [],
  extra_fields: {},
  duration: '1-week',
  start_date: '2026-12-01',
  location: 'Katy, TX',
  time_zone: 'America/Chicago',
  description: 'Panel is down',
  status: 'pending',
  emergency_contact: true,
  attribution: { utm_source: 'google' },
};

/** With status 0, no answer comes. */
export type Answer = [status: number, body: unknown, headers?: Record<string, string>];

/** The server's answers; a test changes single ones, some of which come later. */
export let answers: Record<string, (body: Record<string, string>) => Answer | Promise<Answer>> = {};

/** Answers that are held back, by their calls. */
const held = new Map<string, Promise<void>>();

/** Holds back the answers of a call until the returned function is called. */
export function hold(call: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  held.set(call, released);
  return () => {
    held.delete(call);
    release();
  };
}

/** A session as the server issues it. */
export function session(more = {}) {
  const expires_at = Math.floor(Date.now() / 1000) + 900;
  return {
    access_token: 'v4.public.a.b',
    refresh_token: 'r',
    expires_in: 900,
    expires_at,
    token_type: 'bearer',
    aal: 'aal1',
    user: ana,
    ...more,
  };
}

let close = () => {};

/** Opens the page in a fresh document, as its code is loaded for the first time. */
export async function open(address = '/admin') {
  close();
  vi.resetModules();
  history.replaceState(null, '', address);
  close = (await import('./open-admin')).openAdmin();
}

/** Starts the server with an empty storage and the usual answers; to be called before each test. */
export function startServer() {
  localStorage.clear();
  answers = {
    'POST /auth/v1/token': ({ password }) =>
      password === 'lantern'
        ? [200, session()]
        : [400, { code: 'invalid_credentials', message: 'Invalid login credentials' }],
    'POST /auth/v1/logout': () => [204, undefined],
    'GET /api/admin/inbox': () => [
      200,
      { role: 'admin', requests: [quote], next_cursor: null, counts, views },
    ],
    'PATCH /api/admin/inbox/q1': ({ status }) => [200, { ...quote, status }],
    'GET /api/admin/inbox/q1/offers': () => [200, { offers: [] }],
    'GET /api/admin/inbox/q1': () => [200, { ...quote, history: [], related: [], files: [] }],
  };
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const call = `${method} ${path.split('?')[0]}`;
    const answer = answers[call] ?? ((): Answer => [404, {}]);
    const [status, json, headers = {}] = await answer(typeof body === 'string' ? JSON.parse(body) : {});
    await held.get(call);
    if (status === 0) throw new TypeError('Failed to fetch');
    return new Response(status === 204 ? null : JSON.stringify(json), { status, headers });
  });
}

/** Closes the page and stops the server; to be called after each test. */
export function stopServer() {
  close();
  held.clear();
  vi.unstubAllGlobals();
}

/** Waits until the page contains `text`. */
export function says(text: string) {
  return vi.waitFor(() => expect(document.body.textContent).toContain(text), { timeout: 10_000 });
}

/** The button or link with this name. */
export function button(name: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (it) => it.textContent === name,
  );
  if (!found) throw new Error(`there is no "${name}"`);
  return found;
}

/** Types into the field with this name. */
export function typeInto(name: string, value: string) {
  const field = document.querySelector<HTMLInputElement>(`[name="${name}"]`);
  if (!field) throw new Error(`there is no field "${name}"`);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Submits the first form. */
export function submit() {
  document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
}

/** Stores a session, as after signing in. */
export function signedIn(more = {}) {
  localStorage.setItem('guardpost.session', JSON.stringify(session(more)));
}

/** Opens the page and signs in with this password; `lantern` is the right one. */
export async function signIn(password: string) {
  await open();
  await says('Sign In');
  typeInto('email', 'ana@guardpost.example');
  typeInto('password', password);
  submit();
}
