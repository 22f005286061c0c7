// When a caller is looked up.
import { expect, it } from 'vitest';
import { knownBy } from './phone-form';

it.each([
  ['', '', []],
  ['713 555', 'ana@', []],
  ['(713) 555-0188', '', ['phone: (713) 555-0188']],
  ['', ' ana@site.example ', ['email: ana@site.example']],
  ['713 555 0188', 'ana@site.example', ['phone: 713 555 0188', 'email: ana@site.example']],
])('%j and %j: %j', (phone, email, tried) => {
  expect(knownBy({ phone, email }).map(({ by, query }) => `${by}: ${query}`)).toEqual(tried);
});
