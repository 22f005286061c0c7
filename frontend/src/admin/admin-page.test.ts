// @vitest-environment happy-dom
// The admin page as each kind of user sees it, in a document with a small server behind `fetch`.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const ana = { id: 'a', email: 'ana@guardpost.example', created_at: '2026-11-01T00:00:00.000Z' };
const counts = { pending: 1, in_progress: 0, completed: 0, cancelled: 0 };
const views = { quotes: 1, attention: 1, messages: 0, everything: 1, held: 0 };
const quote = {
  id: 'q1',
  created_at: '2026-11-21T03:04:05.678Z',
  updated_at: '2026-11-21T03:04:05.678Z',
  first_name: 'Marta',
  last_name: 'Núñez',
  email: 'marta@property.example',
  phone: '(713) 555-0188',
  company: null,
  kind: 'quote',
  reference: 'GP-2K7Q',
  service: 'fire-watch',
  due_at: '2026-11-22T03:04:05.678Z',
  held: false,
  held_reasons: [],
  extra_fields: {},
  duration: '1-week',
  start_date: '2026-12-01',
  location: 'Katy, TX',
  description: 'Panel is down',
  status: 'pending',
  emergency_contact: true,
  attribution: { utm_source: 'google' },
};

type Answer = [status: number, body: unknown];

/** What the server answers; a test changes single answers. */
let answers: Record<string, (body: Record<string, string>) => Answer>;

function session(more = {}) {
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
async function open(address = '/admin') {
  close();
  vi.resetModules();
  history.replaceState(null, '', address);
  close = (await import('./testing/open-admin')).openAdmin();
}

beforeEach(() => {
  localStorage.clear();
  answers = {
    'POST /auth/v1/token': ({ password }) =>
      password === 'lantern'
        ? [200, session()]
        : [400, { code: 'invalid_credentials', message: 'Invalid login credentials' }],
    'POST /auth/v1/logout': () => [204, undefined],
    'GET /api/admin/inbox': () => [200, { requests: [quote], next_cursor: null, counts, views }],
    'PATCH /api/admin/inbox/q1': ({ status }) => [200, { ...quote, status }],
    'GET /api/admin/inbox/q1': () => [200, { ...quote, history: [], related: [], files: [] }],
  };
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const answer = answers[`${method} ${path.split('?')[0]}`] ?? (() => [404, {}] as Answer);
    const [status, json] = answer(body ? JSON.parse(String(body)) : {});
    return new Response(status === 204 ? null : JSON.stringify(json), { status });
  });
});

afterEach(() => {
  close();
  vi.unstubAllGlobals();
});

/** Waits until the page says `text`. */
function says(text: string) {
  return vi.waitFor(() => expect(document.body.textContent).toContain(text));
}

function button(name: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (it) => it.textContent === name,
  );
  if (!found) throw new Error(`there is no "${name}"`);
  return found;
}

function type(name: string, value: string) {
  const field = document.querySelector<HTMLInputElement>(`[name="${name}"]`);
  if (!field) throw new Error(`there is no field "${name}"`);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function submit() {
  document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
}

function signedIn(more = {}) {
  localStorage.setItem('guardpost.session', JSON.stringify(session(more)));
}

async function signIn(password: string) {
  await open();
  await says('Sign In');
  type('email', 'ana@guardpost.example');
  type('password', password);
  submit();
}

it('offers company accounts only where there are any', async () => {
  await open();
  await says('Forgot your password?');
  expect(document.body.textContent).not.toContain('Use your company account');
  document.head.innerHTML = '<script type="application/json" id="company">{"sso":true}</script>';
  await open();
  await says('Use your company account');
  document.head.innerHTML = '';
});

it('keeps the PKCE verifier of a company’s provider only while the browser is there', async () => {
  const left = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const kept = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
  document.head.innerHTML = '<script type="application/json" id="company">{"sso":true}</script>';
  answers['POST /auth/v1/sso'] = () => [404, { code: 'sso_provider_not_found', message: 'No such provider' }];
  await open();
  await says('Use your company account');
  const go = () => {
    type('domain', 'company.example');
    const form = document.querySelector('.auth-other form');
    form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  };
  go();
  await says('No such provider');
  expect(kept()).not.toContain('verifier');
  answers['POST /auth/v1/sso'] = () => [200, { url: 'https://provider.example/' }];
  go();
  await vi.waitFor(() => expect(left).toHaveBeenCalledWith('https://provider.example/'));
  expect(localStorage.getItem('guardpost.sso-verifier')).toBeNull();
  expect(sessionStorage.getItem('guardpost.sso-verifier')).toHaveLength(43);
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(kept()).not.toContain('verifier');
  left.mockRestore();
  document.head.innerHTML = '';
});

it('asks for both fields', async () => {
  await open();
  await says('Sign In');
  submit();
  await vi.waitFor(() =>
    expect(
      ['email', 'password'].map((name) => document.getElementById(`${name}-error`)?.textContent),
    ).toEqual(['This field is required', 'This field is required']),
  );
});

it('says what the server says of a wrong password', async () => {
  await signIn('wrong');
  await says('Sign In Failed');
  await says('Invalid login credentials');
});

it('says that something unexpected happened when the server fails', async () => {
  answers['POST /auth/v1/token'] = () => [503, {}];
  await signIn('lantern');
  await says('An unexpected error occurred.');
});

it('welcomes an admin and shows the queue', async () => {
  await signIn('lantern');
  await says('Welcome back!');
  await says('Successfully signed in to admin panel.');
  await says('Admin Dashboard');
  await says('Katy, TX');
});

it('reads the list once from signing in to the first row', async () => {
  const addresses: string[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, request?: RequestInit) => {
    if (path.startsWith('/api/admin/inbox?')) addresses.push(path);
    return fetch(path, request);
  });
  signedIn();
  await open('/admin?status=pending&q=katy');
  await says('Katy, TX');
  expect(addresses).toEqual(['/api/admin/inbox?kind=quote&status=pending&q=katy&limit=50']);
});

it('denies somebody who is not admin, and lets them go', async () => {
  answers['GET /api/admin/inbox'] = () => [403, { title: 'Forbidden', detail: 'No' }];
  await signIn('lantern');
  await says("You don't have admin privileges to access this page");
  expect(button('Return to Home').getAttribute('href')).toBe('/');
  button('Sign Out').click();
  await says('Signed out');
  expect(location.pathname).toBe('/');
  expect(localStorage.getItem('guardpost.session')).toBeNull();
});

it('never shows the sign-in form to somebody whose session is stored', async () => {
  signedIn();
  const seen: string[] = [];
  const watching = new MutationObserver(() => seen.push(document.body.textContent ?? ''));
  watching.observe(document, { subtree: true, childList: true });
  await open();
  await says('Katy, TX');
  watching.disconnect();
  expect(seen.filter((text) => text.includes('Password'))).toEqual([]);
});

it('asks for the second factor before anything else, and goes on with it', async () => {
  signedIn({ user: { ...ana, factors: [{ id: 'f', factor_type: 'totp', status: 'verified' }] } });
  answers['POST /auth/v1/factors/f/challenge'] = () => [200, { id: 'c' }];
  answers['POST /auth/v1/factors/f/verify'] = ({ code }) =>
    code === '123456'
      ? [200, session({ aal: 'aal2' })]
      : [422, { code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' }];
  await open();
  await says('Six-digit code');
  type('code', '000 000');
  submit();
  await says('Invalid TOTP code entered');
  type('code', '123 456');
  submit();
  await says('Katy, TX');
});

it('takes up a recovery link, clears the address and asks for a new password', async () => {
  answers['GET /auth/v1/user'] = () => [200, ana];
  answers['PUT /auth/v1/user'] = ({ password }) =>
    password === 'password'
      ? [
          422,
          {
            code: 'weak_password',
            message: 'Password is known to be weak.',
            weak_password: { reasons: ['pwned'] },
          },
        ]
      : [200, ana];
  await open(
    '/admin#access_token=v4.public.a.b&refresh_token=r&expires_in=900&token_type=bearer&type=recovery',
  );
  await says('Choose a new password');
  expect(location.hash).toBe('');
  type('password', 'password');
  submit();
  await says('Password is known to be weak.');
  type('password', 'a lantern at the gate');
  submit();
  await says('Katy, TX');
});

it('explains a link that was used before', async () => {
  await open('/admin#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid');
  await says('This link has been used or has expired.');
  expect(location.hash).toBe('');
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
  answers['GET /api/admin/inbox'] = () => [200, { requests: [], next_cursor: null, counts, views }];
  await open();
  await says('No quote requests found.');
  await open('/admin?view=users');
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

it('takes a success without a session for the failure it is', async () => {
  answers['POST /auth/v1/token'] = () => [200, {}];
  await signIn('lantern');
  await says('An unexpected error occurred.');
  expect(localStorage.getItem('guardpost.session')).toBeNull();
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
  answers['GET /api/admin/inbox'] = () => [200, { requests: [], next_cursor: null, counts, views }];
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

it('asks for a second factor when the server does, by its code', async () => {
  answers['GET /api/admin/inbox'] = () => [
    403,
    { code: 'insufficient_aal', title: 'In other words', detail: 'No' },
  ];
  signedIn();
  await open();
  await says('Every admin here signs in with a password and a code.');
  const factor = (id: string, status: string, friendly_name: string) => ({ id, status, friendly_name });
  const factors = [
    factor('left', 'unverified', 'Authenticator Nov 21, 2026, 12:00:00 PM'),
    factor('elsewhere', 'unverified', 'phone'),
  ];
  const removed: string[] = [];
  answers['GET /auth/v1/user'] = () => [200, { ...ana, factors }];
  for (const { id } of factors) {
    answers[`DELETE /auth/v1/factors/${id}`] = () => {
      removed.push(id);
      return [200, { id }];
    };
  }
  answers['POST /auth/v1/factors'] = () => [
    200,
    {
      id: 'f1',
      totp: {
        qr_code: '<svg xmlns="http://www.w3.org/2000/svg"/>',
        secret: 'TP23E4OM',
        uri: 'otpauth://totp/x',
      },
    },
  ];
  await open();
  await says('Or type this secret: TP23 E4OM');
  expect(document.body.textContent).not.toContain('Cancel');
  expect(removed).toEqual(['left']); // what this screen began and left, and nothing else
});
