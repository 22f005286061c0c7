// The marks of emails in words, and what is left out of them.

import { expect, it } from 'vitest';
import { messageNotes } from './message';

it('says what is left out, and nothing of a whole email', () => {
  expect(messageNotes({ marks: [], left_out: 0, cut: false })).toEqual([]);
  expect(messageNotes({ reply_to: 'team@x.example' })).toEqual(['Asks for the answer at team@x.example.']);
  expect(messageNotes({ left_out: 1 })).toEqual(['1 more file is only in the whole email.']);
  expect(messageNotes({ left_out: 5, cut: true })).toEqual([
    '5 more files are only in the whole email.',
    'Only its beginning is shown. The rest is in the whole email.',
  ]);
});
