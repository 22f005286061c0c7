// @vitest-environment happy-dom
// A call that needs a recent sign-in asks for a proof and goes on.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  ana,
  answers,
  button,
  open,
  says,
  session,
  signedIn,
  startServer,
  stopServer,
  typeInto,
} from '../testing/admin-page-fixture';

let exported = 0;
let proved = false;

beforeEach(() => {
  startServer();
  exported = 0;
  proved = false;
  vi.stubGlobal('open', () => {});
  answers['GET /api/admin/export'] = () => {
    if (!proved) return [403, { code: 'reauthentication_needed', detail: 'Enter your password again.' }];
    exported += 1;
    return [200, []];
  };
  answers['POST /auth/v1/account/reauthenticate'] = ({ password, nonce }) => {
    proved = password === 'lantern' || nonce === '123456';
    return proved ? [204, undefined] : [422, { code: 'x', message: 'The password is wrong' }];
  };
  answers['GET /auth/v1/reauthenticate'] = () => [200, {}];
});
afterEach(stopServer);

const dialog = () => document.querySelector('dialog');
const answer = (name: string, value: string) => {
  typeInto(name, value);
  const form = dialog()?.querySelector('form');
  form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
};

async function exportRequests(more = {}) {
  signedIn(more);
  await open();
  await says('Katy, TX');
  button('JSON').click();
  await says('Confirm that it is you');
}

it('asks for the password, and then does what was asked for', async () => {
  await exportRequests();
  answer('password', 'wrong');
  await says('The password is wrong');
  expect(exported).toBe(0);
  answer('password', 'lantern');
  await vi.waitFor(() => expect(exported).toBe(1));
  expect(dialog()).toBeNull();
});

it('sends a code by email on request', async () => {
  await exportRequests();
  button('Email me a code').click();
  await says('We send it to ana@guardpost.example.');
  answer('nonce', '123456');
  await vi.waitFor(() => expect(exported).toBe(1));
});

it('asks for the authenticator’s code where there is one', async () => {
  answers['POST /auth/v1/factors/f/challenge'] = () => [200, { id: 'c' }];
  answers['POST /auth/v1/factors/f/verify'] = () => {
    proved = true;
    return [200, session({ aal: 'aal2' })];
  };
  await exportRequests({
    aal: 'aal2',
    user: { ...ana, factors: [{ id: 'f', factor_type: 'totp', status: 'verified' }] },
  });
  answer('code', '123 456');
  await vi.waitFor(() => expect(exported).toBe(1));
});

it('does nothing when it is canceled, and says so', async () => {
  await exportRequests();
  button('Cancel').click();
  await says('Not exported');
  expect(dialog()).toBeNull();
  expect(exported).toBe(0);
});
