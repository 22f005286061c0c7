// Which words of a customer are folded beside the form of an offer.
import { expect, it } from 'vitest';
import { beginning } from '../asked';

it.each([
  ['Two guards, nights.', 'Two guards, nights.'],
  [`${'word '.repeat(80)}end`, 'word '.repeat(64).trim()],
  ['line\n'.repeat(20), 'line\n'.repeat(8).trim()],
  ['x'.repeat(500), 'x'.repeat(320)],
])('begins %j with whole words', (text, short) => {
  expect(beginning(text)).toBe(short);
});
