// @vitest-environment happy-dom
// Own templates of replies: one press saves one, and the last one that was chosen is edited.
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

const template = { editable: true, shared: false, subject: '', text: 'Words' };
const templates = [
  { ...template, key: 't1', title: 'First' },
  { ...template, key: 't2', title: 'Second' },
];

/** Sends the answers that wait. */
let waiting: (() => void)[];
const wait = () => new Promise<void>((done) => waiting.push(done));

beforeEach(async () => {
  startServer();
  waiting = [];
  answers['GET /api/admin/inbox/q1/reply-templates'] = () => [200, { templates }];
  answers['PUT /api/admin/inbox/q1/drafts/reply'] = () => [204, undefined];
  signedIn();
  await open('/admin?request=q1');
  await says('Panel is down');
  button('Reply').click();
  // The templates are read after the form is drawn.
  await vi.waitFor(() => button('Edit the template Second'), { timeout: 10_000 });
});
afterEach(stopServer);

it('stores a template once for two presses', async () => {
  let stored = 0;
  answers['POST /api/admin/reply-templates'] = async () => {
    stored += 1;
    await wait();
    return [201, template];
  };
  typeInto('text', 'It is open.');
  await vi.waitFor(() =>
    expect(button('Save what is typed as a template').hasAttribute('disabled')).toBe(false),
  );
  button('Save what is typed as a template').click();
  await says('Save template');
  button('Save template').click();
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  button('Save template').click();
  waiting.pop()?.();
  await says('Template saved');
  expect(stored).toBe(1);
});

it('edits the template whose button was pressed last', async () => {
  answers['GET /api/admin/reply-templates'] = async () => {
    await wait();
    return [200, { templates }];
  };
  button('Edit the template First').click();
  button('Edit the template Second').click();
  for (let sent = 0; sent < 2; sent += 1) {
    await vi.waitFor(() => expect(waiting).not.toEqual([]));
    waiting.pop()?.();
    await new Promise(setImmediate);
  }
  const title = () => document.querySelector<HTMLInputElement>('#template-title')?.value;
  await vi.waitFor(() => expect(title()).toBe('Second'));
});
