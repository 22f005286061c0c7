// @vitest-environment happy-dom
// Files of a reply that are still being sent.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
  typeInto,
} from '../../testing/admin-page-fixture';

/** The replies that the server was sent. */
let sent: { files: string[] }[] = [];
/** Ends the uploads that are waiting for their answer, the oldest first. */
let uploads: (() => void)[] = [];

beforeEach(() => {
  startServer();
  sent = [];
  uploads = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, request?: RequestInit) => {
    if (!path.startsWith('/storage/')) return fetch(path, request);
    return new Promise((answer) => uploads.push(() => answer(Response.json({}))));
  });
  answers['PUT /api/admin/inbox/q1/drafts/reply'] = () => [204, undefined];
  answers['POST /api/admin/inbox/q1/replies'] = (body) => {
    sent.push(body as unknown as { files: string[] });
    return [201, { id: 7 }];
  };
});
afterEach(stopServer);

const filesInput = () => document.getElementById('reply-files') as HTMLInputElement;
const listed = () =>
  [...document.querySelectorAll('.composer .message-files li')].map((it) => it.textContent);

async function writeReply() {
  signedIn();
  await open('/admin?request=q1');
  await says('Panel is down');
  button('Reply').click();
  await vi.waitFor(() => expect(filesInput()).toBeTruthy());
  typeInto('subject', 'The panel');
  typeInto('text', 'See the plan.');
}

/** Chooses files, and waits until the first is being sent. */
async function choose(...names: string[]) {
  const files = names.map((name) => new File(['%PDF-1.4'], name));
  Object.defineProperty(filesInput(), 'files', { value: files, configurable: true });
  filesInput().dispatchEvent(new Event('change', { bubbles: true }));
  await says(`Sending ${names[0]}`);
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
}

function send() {
  document.querySelector<HTMLFormElement>('.composer form')?.requestSubmit();
}

it('is not sent without a file that is still being sent', async () => {
  await writeReply();
  await choose('plan.pdf');
  expect(filesInput().disabled).toBe(true);
  send();
  await says('A file is still being sent.');
  expect(sent).toEqual([]);
  uploads.shift()?.();
  await vi.waitFor(() => expect(filesInput().disabled).toBe(false));
  send();
  await says('It leaves in ten seconds.');
  expect(sent).toMatchObject([{ files: [expect.stringMatching(/^mail\/q1\/\d+-plan\.pdf$/)] }]);
});

it('does not bring a file back that was removed while another was being sent', async () => {
  await writeReply();
  await choose('old.pdf', 'new.pdf');
  uploads.shift()?.();
  await vi.waitFor(() => expect(listed()).toEqual(['old.pdf Remove old.pdf']));
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  button('Remove old.pdf').click();
  await vi.waitFor(() => expect(listed()).toEqual([]));
  uploads.shift()?.();
  await vi.waitFor(() => expect(listed()).toEqual(['new.pdf Remove new.pdf']));
});

it('says that a file is missing where the reply was closed before all were sent', async () => {
  await writeReply();
  await choose('plan.pdf');
  button('Reply').click();
  await vi.waitFor(() => expect(filesInput()).toBeNull());
  uploads.shift()?.();
  await says('The reply was closed before all its files were sent.');
  button('Reply draft').click();
  await vi.waitFor(() => expect(filesInput()).toBeTruthy());
  expect(listed()).toEqual([]);
});
