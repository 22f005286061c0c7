// Which texts are phone numbers that can be called.
import { expect, it } from 'vitest';
import { phoneParts } from './callable-text';

const numbersIn = (text: string) =>
  phoneParts(text)
    .filter(({ isPhone }) => isPhone)
    .map((part) => part.text);

it.each([
  ['Call back at 713-555-0188 after 6', ['713-555-0188']],
  ['(713) 555-0188, or 1 832 555 0100.', ['(713) 555-0188', '1 832 555 0100']],
  ['7135550188', ['7135550188']],
  ['Gate: +1 713.555.0188; Berlin +49 30 1234567', ['+1 713.555.0188', '+49 30 1234567']],
  ['Order 12345678901234, unit 713-555-018, 2026-12-01 18:00', []],
  ['GP-7135550188 and A7135550188', []],
])('finds the numbers of “%s”', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

it('keeps every character', () => {
  const text = 'Ask Bo (713) 555-0188\nor 832.555.0100!';
  expect(
    phoneParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
