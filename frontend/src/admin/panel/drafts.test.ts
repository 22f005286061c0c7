// @vitest-environment happy-dom
// Drafts of the open request on the server: one call at a time, and none of a form that was sent.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  hold,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
  typeInto,
} from '../testing/admin-page-fixture';

const draft = 'PUT /api/admin/inbox/q1/drafts/note';
const note = 'POST /api/admin/inbox/q1/notes';

/** The texts that the server was sent, in order. */
let sent: string[] = [];

beforeEach(() => {
  startServer();
  sent = [];
  answers[draft] = (body) => {
    sent.push(`draft ${(body as unknown as { fields: { text: string } }).fields.text}`);
    return [204, undefined];
  };
  answers[note] = ({ text }) => {
    sent.push(`note ${text}`);
    return [201, { id: 7 }];
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  stopServer();
});

async function openNote() {
  signedIn();
  await open('/admin?request=q1');
  await says('Panel is down');
  button('Add a note').click();
  await vi.waitFor(() => expect(document.querySelector('[name="text"]')).toBeTruthy());
}

function save() {
  document.querySelector<HTMLFormElement>('.composer form')?.requestSubmit();
}

/** Longer than the time without a keystroke after which a draft is stored. */
const pause = () => vi.advanceTimersByTimeAsync(1000);

it('stores no draft while its form is sent, nor afterwards', async () => {
  await openNote();
  const answer = hold(note);
  typeInto('text', 'Gate 4');
  save();
  await vi.waitFor(() => expect(sent).toContain('note Gate 4'));
  await pause();
  expect(sent).toEqual(['note Gate 4']);
  answer();
  await says('Note saved');
  await pause();
  expect(sent).toEqual(['note Gate 4']);
});

it('stores the draft of a form that could not be sent', async () => {
  answers[note] = () => [500, {}];
  await openNote();
  typeInto('text', 'Gate 4');
  save();
  await says('The server answered 500.');
  await pause();
  expect(sent).toEqual(['draft Gate 4']);
});

it('stores one draft after the other, and the form after its draft', async () => {
  await openNote();
  const answer = hold(draft);
  for (const text of ['Gate 4', 'Gate 47', 'Gate 471']) {
    typeInto('text', text);
    await pause();
  }
  expect(sent).toEqual(['draft Gate 4']);
  save();
  await pause();
  expect(sent).toEqual(['draft Gate 4']);
  answer();
  await says('Note saved');
  expect(sent).toEqual(['draft Gate 4', 'draft Gate 471', 'note Gate 471']);
});

it('does not say that a note was not saved where no answer comes', async () => {
  answers[note] = () => [0, undefined];
  await openNote();
  typeInto('text', 'Gate 4');
  save();
  await says('Not confirmed');
  await says('It may have been done all the same: check before you try again.');
});
