// @vitest-environment happy-dom
// Signing in on the admin page, with a password, a company account or an emailed link.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  ana,
  answers,
  button,
  open,
  says,
  signedIn,
  signIn,
  startServer,
  stopServer,
  submit,
  typeInto,
} from '../testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

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
    typeInto('domain', 'company.example');
    const form = document.querySelector('.auth-other form');
    form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  };
  go();
  await says('No company with this domain signs in here.');
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

it('says how long to wait after wrong passwords of strangers, with the link beside it', async () => {
  answers['POST /auth/v1/token'] = () => [
    429,
    { code: 'over_request_rate_limit', message: 'Too many attempts.' },
    { 'Retry-After': '175' },
  ];
  await signIn('lantern');
  await says('Too many attempts. Try again in 3 minutes.');
  const link = button('Sign in at once by a link that we email you');
  expect(link.getAttribute('href')).toBe('/admin?view=forgotten');
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

it('says what to do about a blocked account', async () => {
  answers['POST /auth/v1/token'] = () => [400, { code: 'user_banned', message: 'User is banned' }];
  await signIn('lantern');
  await says('This account is blocked. Ask an admin to unblock it under Users.');
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

it('takes a success without a session for the failure it is', async () => {
  answers['POST /auth/v1/token'] = () => [200, {}];
  await signIn('lantern');
  await says('An unexpected error occurred.');
  expect(localStorage.getItem('guardpost.session')).toBeNull();
});

it('denies a user who is not admin, and lets them go', async () => {
  answers['GET /api/admin/inbox'] = () => [403, { title: 'Forbidden', detail: 'No' }];
  await signIn('lantern');
  await says("You don't have admin privileges to access this page");
  expect(button('Return to Home').getAttribute('href')).toBe('/');
  button('Sign Out').click();
  await says('Signed out');
  expect(location.pathname).toBe('/');
  expect(localStorage.getItem('guardpost.session')).toBeNull();
});

it('never shows the sign-in form to a user whose session is stored', async () => {
  signedIn();
  const seen: string[] = [];
  const watching = new MutationObserver(() => seen.push(document.body.textContent ?? ''));
  watching.observe(document, { subtree: true, childList: true });
  await open();
  await says('Katy, TX');
  watching.disconnect();
  expect(seen.filter((text) => text.includes('Password'))).toEqual([]);
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
  typeInto('password', 'password');
  submit();
  await says('Password is known to be weak.');
  typeInto('password', 'a lantern at the gate');
  submit();
  await says('Katy, TX');
});

it('explains a link that was used before', async () => {
  await open('/admin#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid');
  await says('This link has been used or has expired.');
  expect(location.hash).toBe('');
});
