// What the draft took from the customer's words.
import { expect, it } from 'vitest';
import { askedText } from '../asked';

it('names what was taken with its words, and what is to be asked', () => {
  expect(askedText([])).toBe('Not said plainly: days and hours, number of officers. Ask, or choose them.');
  expect(
    askedText([
      { what: 'schedule', words: 'mon-fri' },
      { what: 'schedule', words: '7 am to 7 pm' },
      { what: 'officers', words: 'two guards' },
    ]),
  ).toBe(
    'Taken: days and hours from “mon-fri” and “7 am to 7 pm”; number of officers from “two guards”. Check them.',
  );
  expect(askedText([{ what: 'armed', words: 'armed' }])).toBe(
    'Taken: armed or not from “armed”. Check them. Not said plainly: days and hours, number of officers. Ask, or choose them.',
  );
});
