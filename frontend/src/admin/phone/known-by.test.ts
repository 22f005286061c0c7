// When a caller is looked up.
import { expect, it } from 'vitest';
import { knownBy } from './known-by';

it.each([
  ['', '', ''],
  ['713 555', 'ana@', ''],
  ['(713) 555-0188', '', '(713) 555-0188'],
  ['', ' ana@site.example ', 'ana@site.example'],
  ['713 555 0188', 'ana@site.example', '713 555 0188'],
])('%j and %j: %j', (phone, email, query) => {
  expect(knownBy({ phone, email })).toBe(query);
});
