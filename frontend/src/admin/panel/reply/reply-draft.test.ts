// @vitest-environment happy-dom
// What is typed into a reply is kept: its texts, its copies and its files.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  open,
  quote,
  says,
  signedIn,
  startServer,
  stopServer,
  typeInto,
} from '../../testing/admin-page-fixture';
import { draftOf, extrasOf, replyOf } from './reply-draft';

const reply = {
  subject: 'A',
  text: 'B',
  cc: 'boss@property.example, tech@guard.example;x@y.example',
  files: [{ file: 'mail/q1/plan.pdf', name: 'plan.pdf' }],
};

it('reads a reply from its draft, and from none one with the proposed subject', () => {
  expect(replyOf(draftOf(reply), 'Re: The gate')).toEqual(reply);
  expect(replyOf({}, 'Re: The gate')).toEqual({ subject: 'Re: The gate', text: '', cc: '', files: [] });
  expect(replyOf({ subject: '', files: 'no list' }, 'Re: The gate')).toMatchObject({
    subject: '',
    files: [],
  });
  expect(extrasOf(reply)).toEqual({
    cc: ['boss@property.example', 'tech@guard.example', 'x@y.example'],
    files: ['mail/q1/plan.pdf'],
  });
});

/** The drafts that the server was sent. */
let kept: Record<string, string>[] = [];
/** The replies that it was sent. */
let sent: Record<string, unknown>[] = [];

beforeEach(() => {
  startServer();
  kept = [];
  sent = [];
  answers['PUT /api/admin/inbox/q1/drafts/reply'] = (body) => {
    kept.push((body as unknown as { fields: Record<string, string> }).fields);
    return [204, undefined];
  };
  answers['POST /api/admin/inbox/q1/replies'] = (body) => {
    sent.push(body);
    return [201, { id: 7 }];
  };
  answers['POST /api/admin/inbox/q1/undo'] = () => [200, quote];
});
afterEach(stopServer);

function copies(value?: string): HTMLInputElement {
  const field = document.getElementById('reply-cc') as HTMLInputElement;
  if (value !== undefined) {
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return field;
}

const textBox = () => document.querySelector<HTMLTextAreaElement>('[name="text"]');

async function openReply() {
  signedIn();
  await open('/admin?request=q1');
  await says('Panel is down');
  button('Reply').click();
  await vi.waitFor(() => expect(textBox()).toBeTruthy());
}

it('has its subject first, and the focus in the text', async () => {
  await openReply();
  expect(document.querySelector<HTMLInputElement>('[name="subject"]')?.value).toBe('Your request GP-2K7Q');
  await vi.waitFor(() => expect(document.activeElement).toBe(textBox()));
});

it('keeps the text where copies are typed beside its preview', async () => {
  await openReply();
  typeInto('subject', 'The gate');
  typeInto('text', 'It is open.');
  button('Preview').click();
  await says('Go on writing');
  copies('boss@property.example');
  await vi.waitFor(() =>
    expect(kept.at(-1)).toEqual({
      subject: 'The gate',
      text: 'It is open.',
      cc: 'boss@property.example',
      files: '',
    }),
  );
  button('Reply').click();
  await vi.waitFor(() => expect(document.getElementById('reply-cc')).toBeNull());
  button('Reply draft').click();
  await vi.waitFor(() => expect(textBox()?.value).toBe('It is open.'));
  expect(copies().value).toBe('boss@property.example');
});

it('sends by Ctrl+Enter, and keeps text and copies of a reply that is taken back', async () => {
  await openReply();
  typeInto('subject', 'The gate');
  typeInto('text', 'It is open.');
  copies('boss@property.example');
  const event = new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true });
  textBox()?.dispatchEvent(event);
  await says('It leaves in ten seconds.');
  expect(sent).toMatchObject([{ text: 'It is open.', cc: ['boss@property.example'] }]);
  await vi.waitFor(() => expect(textBox()).toBeNull());
  button('Undo').click();
  await says('It is kept');
  button('Reply draft').click();
  await vi.waitFor(() => expect(textBox()?.value).toBe('It is open.'));
  expect(copies().value).toBe('boss@property.example');
});
