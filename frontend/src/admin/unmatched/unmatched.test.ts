// @vitest-environment happy-dom
// The list of emails is read once at a time, and shows no list but the one that is chosen.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
} from '../testing/admin-page-fixture';

const email = {
  id: 'e1',
  class: 'human',
  detail: { from: 'marta@property.example', name: 'Marta', subject: 'Guards for Katy', text: '', marks: [] },
  discarded: false,
  key: 'k',
  received_at: '2026-11-21T03:04:05.678Z',
  size: 100,
};

/** The emails from people that the server has. */
let emails: object[];
/** Sends the answers that wait, once `late` is set. */
let waiting: (() => void)[];
let late: boolean;

beforeEach(async () => {
  startServer();
  [emails, waiting, late] = [[email], [], false];
  const { fetch } = globalThis;
  let query = '';
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    query = path.split('?')[1] ?? '';
    return fetch(path, init);
  });
  answers['GET /api/admin/unmatched'] = async () => {
    const found = { emails: query ? [] : emails, count: emails.length, automatic: 0, discarded: 0 };
    if (late) await new Promise<void>((done) => waiting.push(done));
    return [200, found];
  };
  answers['POST /api/admin/unmatched/e1/attach'] = () => {
    emails = [];
    return [200, {}];
  };
  signedIn();
  await open('/admin?view=unmatched');
  await says('Guards for Katy');
  late = true;
});
afterEach(stopServer);

const choose = (name: string) => {
  const lists = [...document.querySelectorAll<HTMLElement>('nav[aria-label="Emails"] button')];
  lists.find((it) => it.textContent?.startsWith(name))?.click();
};

/** Sends so many answers, each time the newest that waits. */
async function send(count: number) {
  for (let sent = 0; sent < count; sent += 1) {
    await vi.waitFor(() => expect(waiting).not.toEqual([]));
    waiting.pop()?.();
    await new Promise(setImmediate);
  }
}

it('keeps an open form when the answer of a list that was left arrives late', async () => {
  choose('Automatic');
  await says('Loading');
  choose('From people');
  await says('Guards for Katy');
  await send(2);
  expect(document.body.textContent).toContain('Guards for Katy');
  expect(document.body.textContent).not.toContain('Loading');
});

it('does not show an email again that was attached while the list was read', async () => {
  choose('Automatic');
  await says('Loading');
  choose('From people');
  await says('Guards for Katy');
  button('Attach to GP-2K7Q: Fire Watch, Katy, TX').click();
  await says('Attached to GP-2K7Q');
  await send(2);
  await says('Every email belongs to a request.');
});
