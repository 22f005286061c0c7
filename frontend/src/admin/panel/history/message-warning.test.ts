import { expect, test } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox';
import { answerSubject, messageWarning, returned } from './message';

const event = (verb: string, detail: Record<string, unknown>) =>
  ({ verb, detail }) as unknown as HistoryEvent;

test.each([
  [{ via: 'page' }, ''],
  [{ via: 'offer' }, ''],
  [{ via: 'email', from: 'm@x.example', known: true, verified: true }, ''],
  [{ via: 'email', from: '', known: false, verified: false }, 'It has no single author. It may be forged.'],
  [
    { via: 'email', from: 'bob@x.example', known: false, verified: true },
    "From bob@x.example, which is not the customer's address.",
  ],
  [
    { via: 'email', from: 'm@x.example', known: true, verified: false },
    'The sender is not verified: anybody can write this address.',
  ],
] as const)('a message %o is shown with the mark %s', (detail, warning) => {
  expect(messageWarning(detail)).toBe(warning);
});

test('the last email to the customer that came back is told before the next one', () => {
  const failed = event('replied', { to: 'M@x.example', state: 'failed', bounced: 1, error: '550 unknown' });
  expect(returned([failed], 'm@x.example')).toBe('550 unknown');
  expect(returned([failed], 'other@x.example')).toBeUndefined();
  const later = event('replied', { to: 'm@x.example', state: 'delivered' });
  expect(returned([failed, later], 'm@x.example')).toBeUndefined();
  expect(returned([event('emailed', { to: 'm@x.example', state: 'failed' })], 'm@x.example')).toBeUndefined();
});

test('an answer has the subject of the last message, the first reply one that names the request', () => {
  const subject = (...messages: string[]) =>
    answerSubject(
      messages.map((subject) => event('wrote', { subject })),
      'GP-2K7Q',
    );
  expect(subject()).toBe('Your request GP-2K7Q');
  expect(subject('Gate')).toBe('Re: Gate');
  expect(subject('x', 'RE: Gate')).toBe('RE: Gate');
});
