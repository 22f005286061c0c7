// @vitest-environment happy-dom
// A change of the password whose answer is lost.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  ana,
  answers,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
  typeInto,
} from '../testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

it.each(['/admin?view=new-password', '/admin/account'])(
  'at %s, takes a password that is stored already for changed after a lost answer',
  async (address) => {
    let stored = 'lantern';
    let lost = true;
    answers['PUT /auth/v1/user'] = ({ password = '' }) => {
      if (password === stored)
        return [
          422,
          { code: 'same_password', message: 'New password should be different from the old password.' },
        ];
      stored = password;
      if (lost) return Promise.reject(new TypeError('Failed to fetch'));
      return [200, ana];
    };
    const save = (password: string) => {
      typeInto('password', password);
      const form = document.querySelector('[name="password"]')?.closest('form');
      form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    };
    signedIn();
    await open(address);
    await vi.waitFor(() => expect(document.querySelector('[name="password"]')).not.toBeNull());
    save('lantern');
    await says('This is your password already.');
    save('correct horse');
    await vi.waitFor(() => expect(stored).toBe('correct horse'));
    await vi.waitFor(() => expect(document.querySelector('form [type="submit"][disabled]')).toBeNull());
    lost = false;
    save('correct horse');
    await says('Password changed');
  },
);
