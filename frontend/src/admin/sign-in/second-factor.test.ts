// @vitest-environment happy-dom The second factor on the admin page: required at sign-in, and set
// up if the server demands one.
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  ana,
  answers,
  open,
  says,
  session,
  signedIn,
  startServer,
  stopServer,
  submit,
  typeInto,
} from '../testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

it('asks for the second factor before anything else, and goes on with it', async () => {
  signedIn({ user: { ...ana, factors: [{ id: 'f', factor_type: 'totp', status: 'verified' }] } });
  answers['POST /auth/v1/factors/f/challenge'] = () => [200, { id: 'c' }];
  answers['POST /auth/v1/factors/f/verify'] = ({ code }) =>
    code === '123456'
      ? [200, session({ aal: 'aal2' })]
      : [
          422,
          {
            code: 'mfa_verification_failed',
            message: 'Invalid TOTP code entered',
            ...(code === '111111' ? { reasons: ['used'] } : {}),
          },
        ];
  await open();
  await says('Six-digit code');
  typeInto('code', '111 111');
  submit();
  await says('This code was just used.');
  typeInto('code', '000 000');
  submit();
  await says('This code is wrong or has expired.');
  typeInto('code', '123 456');
  submit();
  await says('Katy, TX');
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
