// @vitest-environment happy-dom
// All commands and pages in one list, which typing narrows.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { open, says, signedIn, startServer, stopServer } from '../testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

const options = () => [...document.querySelectorAll('[role="option"]')].map((it) => it.textContent);

/** Opens the list, types, and waits for what is left of it. */
async function find(typed: string, left: string[]) {
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }));
  const field = await vi.waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('.pick-list input');
    if (!found) throw new Error('there is no list');
    return found;
  });
  field.value = typed;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await vi.waitFor(() => expect(options()).toEqual(left));
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
}

it('goes to a page, and runs a command where there is one', async () => {
  signedIn();
  await open('/admin');
  await says('Katy, TX');
  await find('this help', ['This help ?']);
  await says('Use single keys on this computer');
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
  await find('go offers', ['Go to Offers ']);
  await vi.waitFor(() => expect(location.pathname).toBe('/admin/offers'));
});
