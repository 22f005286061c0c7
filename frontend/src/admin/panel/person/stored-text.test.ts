import { expect, test } from 'vitest';
import { storedText } from '../person-data';

const nothing = { quotes: 0, messages: 0, emails: 0, files: 0, history: 0, search_entries: 0 };

test('what is stored is named by its numbers', () => {
  expect(storedText(nothing)).toBe('Nothing');
  expect(storedText({ ...nothing, messages: 1 })).toBe('1 message');
  expect(storedText({ quotes: 2, messages: 1, emails: 3, files: 1, history: 1, search_entries: 3 })).toBe(
    '2 quote requests, 1 message, 3 emails, 1 file, 1 entry of their history and the search words of 3 requests',
  );
});
