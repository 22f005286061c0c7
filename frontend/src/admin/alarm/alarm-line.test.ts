// @vitest-environment happy-dom
// The line of the alarm on the admin page.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { open, says, signedIn, startServer, stopServer } from '../testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

const slot = () => document.querySelector('.alarm-slot')?.textContent;

it('says nothing calm until the server has said which emergencies wait', async () => {
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (path: string, request?: RequestInit) => {
    if (path.includes('emergency=true')) await asked;
    return fetch(path, request);
  });
  signedIn();
  await open();
  await says('Katy, TX');
  expect(slot()).toContain('Looking for emergencies…');
  expect(slot()).not.toContain('ound is');
  release();
  await vi.waitFor(() => expect(slot()).not.toContain('Looking'));
});
