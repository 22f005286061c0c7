// @vitest-environment happy-dom
// The user list, read page by page from a fake server with 120 accounts.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

type Account = { id: string; email: string; created_at: string; roles: string[]; invited_at?: string };

const created_at = '2026-11-01T00:00:00.000Z';
let accounts: Account[];
let asked: string[];
/** The largest number of calls about users that were under way at the same time. */
let most: number;
let close = () => {};

function account(n: number): Account {
  return { id: `u${n}`, email: `guard${n}@guardpost.example`, created_at, roles: [] };
}

/** A page of the list; a cursor is the id of the last account of the page before. */
function page(query: URLSearchParams) {
  const size = Number(query.get('per_page'));
  const from = accounts.findIndex(({ id }) => id === query.get('cursor')) + 1;
  const users = accounts.slice(from, from + size);
  return { users, ...(from + size < accounts.length ? { next_cursor: users.at(-1)?.id } : {}) };
}

/** When the invitations of the fake server end. */
const invitationSeconds = 86_400;

function answer(method: string, path: string, body: { role?: string }): [number, unknown] {
  const url = new URL(path, location.href);
  if (url.pathname === '/api/admin/inbox')
    return [200, { role: 'admin', requests: [], next_cursor: null, counts: {} }];
  if (method === 'GET' && url.pathname === '/auth/v1/admin/users') {
    asked.push(url.search);
    return [200, page(url.searchParams)];
  }
  if (url.pathname === '/api/admin/system')
    return [200, { problems: [], invitation_seconds: invitationSeconds }];
  if (url.pathname === '/api/admin/people')
    return [200, { people: [{ id: 'u0', email: 'guard0@guardpost.example', name: 'Ada Byron' }] }];
  const one = accounts.find(({ id }) => url.pathname === `/auth/v1/admin/users/${id}`);
  if (!one) return [404, {}];
  one.roles = body.role === 'authenticated' ? [] : [String(body.role)];
  return [200, { ...one, roles: undefined }];
}

beforeEach(async () => {
  accounts = Array.from({ length: 120 }, (_, n) => account(n));
  asked = [];
  most = 0;
  let underWay = 0;
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (path.startsWith('/auth/v1/admin/users')) {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
    }
    const [status, json] = answer(method, path, body ? JSON.parse(String(body)) : {});
    return new Response(JSON.stringify(json), { status });
  });
  const expires_at = Math.floor(Date.now() / 1000) + 900;
  const user = { id: 'a', email: 'ana@guardpost.example', created_at };
  const session = { access_token: 't', refresh_token: 'r', expires_in: 900, expires_at, aal: 'aal1', user };
  localStorage.setItem('guardpost.session', JSON.stringify({ ...session, token_type: 'bearer' }));
  vi.resetModules();
  history.replaceState(null, '', '/admin/users');
  close = (await import('../testing/open-admin')).openAdmin();
  await lists(50);
});

afterEach(() => {
  close();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const rows = () => [...document.querySelectorAll('.person')].map((row) => row.textContent ?? '');
const lists = (count: number) => vi.waitFor(() => expect(rows()).toHaveLength(count));

function press(label: string) {
  const wanted = (it: Element) => (it.getAttribute('aria-label') ?? it.textContent) === label;
  const found = [...document.querySelectorAll<HTMLElement>('button')].find(wanted);
  if (!found) throw new Error(`there is no "${label}"`);
  found.click();
}

it('continues after the last page even if users were added', async () => {
  accounts.unshift(account(999));
  press('Load more');
  await lists(100);
  press('Load more');
  await lists(120);
  expect(new Set(rows()).size).toBe(120);
  expect(document.body.textContent).not.toContain('Load more');
  expect(asked).toEqual(['?per_page=50&cursor=', '?per_page=50&cursor=u49', '?per_page=50&cursor=u99']);
});

it('keeps its length after an action on a user of a later page', async () => {
  press('Load more');
  await lists(100);
  press('Make admin guard70@guardpost.example');
  await vi.waitFor(() => expect(rows()[70]).toContain('Admin'));
  expect(rows()).toHaveLength(100);
  press('Load more');
  await lists(120);
});

it('changes one role after the other, so that the list that is read last is the newest', async () => {
  press('Make admin guard1@guardpost.example');
  press('Make admin guard2@guardpost.example');
  press('Load more');
  await lists(100);
  await vi.waitFor(() => expect(rows()[1]).toContain('Admin'));
  await vi.waitFor(() => expect(rows()[2]).toContain('Admin'));
  expect(most).toBe(1);
});

it('says until when an invitation is valid, and when it has expired', async () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  accounts = [
    { ...account(1), invited_at: ago(1) },
    { ...account(2), invited_at: ago(30) },
  ];
  close();
  close = (await import('../testing/open-admin')).openAdmin();
  await vi.waitFor(() => {
    expect(rows()[0]).toMatch(/Invited .*, valid until .*\s[AP]M/);
    expect(rows()[1]).toMatch(/Invitation expired .*\s[AP]M/);
  });
});

it('names people who gave themselves a name, with the address of their account', async () => {
  await vi.waitFor(() => expect(rows()[0]).toMatch(/^Ada Byron.*@/));
});
