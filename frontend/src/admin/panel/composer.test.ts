// @vitest-environment happy-dom
// A call that ends closes only its own form, and leaves the focus where it is.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  counts,
  hold,
  open,
  quote,
  says,
  signedIn,
  startServer,
  stopServer,
  typeInto,
  views,
} from '../testing/admin-page-fixture';

const other = { ...quote, id: 'q2', reference: 'GP-3M8R', description: 'Dock 4' };
const details = { history: [], related: [], files: [] };

beforeEach(() => {
  startServer();
  answers['GET /api/admin/inbox'] = () => [
    200,
    { role: 'admin', requests: [quote, other], next_cursor: null, counts, views },
  ];
  answers['GET /api/admin/inbox/q2'] = () => [200, { ...other, ...details }];
  for (const { id } of [quote, other]) {
    answers[`POST /api/admin/inbox/${id}/replies`] = () => [201, { id: 7 }];
    answers[`PUT /api/admin/inbox/${id}/drafts/reply`] = () => [204, undefined];
  }
  answers['POST /api/admin/inbox/q1/undo'] = () => [200, quote];
  answers['PATCH /api/admin/inbox/q1/fields'] = () => [200, { ...quote, first_name: 'Maria' }];
});
afterEach(stopServer);

const textBox = () => document.querySelector<HTMLTextAreaElement>('.composer [name="text"]');

async function openRequest(address: string, description: string) {
  history.pushState(null, '', address);
  await vi.waitFor(() => expect(document.querySelector('.panel-words')?.textContent).toBe(description));
}

/** Opens the form of this name and returns its text box, which has the focus. */
async function write(form: string): Promise<HTMLTextAreaElement> {
  await vi.waitFor(() => button(form).click());
  return vi.waitFor(() => {
    const box = textBox();
    if (!box) throw new Error('there is no text box');
    box.focus();
    expect(document.activeElement).toBe(box);
    return box;
  });
}

async function writeReply() {
  signedIn();
  await open('/admin');
  await says('Katy, TX');
  await openRequest('/admin?request=q1', 'Panel is down');
  await write('Reply');
  typeInto('subject', 'The panel');
  typeInto('text', 'We come today.');
}

function send() {
  document.querySelector<HTMLFormElement>('.composer form')?.requestSubmit();
}

it('opens the next request of the list after a reply, by its button and by Ctrl+Shift+Enter', async () => {
  await writeReply();
  expect(button('Send and next').title).toBe('Ctrl+Shift+Enter');
  textBox()?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, shiftKey: true, bubbles: true }),
  );
  await vi.waitFor(() => expect(location.search).toBe('?request=q2'));
  await says('Reply sent');
  expect(textBox()).toBeNull();
});

it('leaves the form of another request, and its focus, when a reply was sent', async () => {
  await writeReply();
  const answer = hold('POST /api/admin/inbox/q1/replies');
  send();
  await openRequest('/admin?request=q2', 'Dock 4');
  const box = await write('Reply');
  answer();
  await says('Reply sent');
  expect(textBox()).toBe(box);
  expect(document.activeElement).toBe(box);
});

it('leaves another form of the same request when a reply was sent', async () => {
  await writeReply();
  const answer = hold('POST /api/admin/inbox/q1/replies');
  send();
  const box = await write('Add a note');
  answer();
  await says('Reply sent');
  expect(textBox()).toBe(box);
  expect(document.activeElement).toBe(box);
});

it('leaves the form of another request when a reply is taken back', async () => {
  await writeReply();
  send();
  await says('Reply sent');
  await openRequest('/admin?request=q2', 'Dock 4');
  const box = await write('Reply');
  button('Undo').click();
  await says('It is kept');
  expect(textBox()).toBe(box);
});

it('leaves the focus in another form when corrections were saved', async () => {
  signedIn();
  await open('/admin');
  await says('Katy, TX');
  await openRequest('/admin?request=q1', 'Panel is down');
  button('Edit details').click();
  const firstName = () => document.querySelector<HTMLInputElement>('.edit-form [name="firstName"]');
  await vi.waitFor(() => expect(firstName()?.value).toBe('Marta'));
  typeInto('firstName', 'Maria');
  const answer = hold('PATCH /api/admin/inbox/q1/fields');
  document.querySelector<HTMLFormElement>('.edit-form')?.requestSubmit();
  await openRequest('/admin?request=q2', 'Dock 4');
  const box = await write('Reply');
  const read = vi.fn(() => [200, { ...other, ...details }] as [number, unknown]);
  answers['GET /api/admin/inbox/q2'] = read;
  answer();
  await vi.waitFor(() => expect(read).toHaveBeenCalled());
  expect(textBox()).toBe(box);
  expect(document.activeElement).toBe(box);
});

const wrote = {
  id: 3,
  at: quote.created_at,
  verb: 'wrote',
  actor: null,
  detail: { subject: 'The gate', text: 'It is broken.' },
};

it('leaves the focus in another form when a message was passed on', async () => {
  answers['GET /api/admin/inbox/q1'] = () => [200, { ...quote, ...details, history: [wrote] }];
  answers['POST /api/admin/inbox/q1/messages/3/forward'] = () => [201, {}];
  signedIn();
  await open('/admin?request=q1');
  await says('It is broken.');
  button('Forward this message').click();
  const to = await vi.waitFor(() => {
    const field = document.querySelector<HTMLInputElement>('.unmatched-actions [type="email"]');
    if (!field) throw new Error('there is no field');
    return field;
  });
  to.value = 'tech@guard.example';
  to.dispatchEvent(new Event('input', { bubbles: true }));
  const answer = hold('POST /api/admin/inbox/q1/messages/3/forward');
  to.form?.requestSubmit();
  const box = await write('Add a note');
  answer();
  await says('Forwarded to');
  expect(document.activeElement).toBe(box);
});
