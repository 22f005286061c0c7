// Selecting rows by click, shift-click and `x`.
import { expect, it } from 'vitest';
import { extendTo, inParts, nothingSelected, toggle, toggleAll } from '../state/use-selection';

const listed = ['a', 'b', 'c', 'd', 'e'];
const idsOf = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort().join('');

it('selects and unselects one row', () => {
  const one = toggle(nothingSelected, 'b');
  expect(idsOf(one)).toBe('b');
  expect(idsOf(toggle(one, 'b'))).toBe('');
});

it.each([
  ['b', 'd', 'bcd'],
  ['d', 'b', 'bcd'],
  ['c', 'c', 'c'],
  ['gone', 'd', 'd'],
])('extends from %s to %s', (anchor, to, ids) => {
  expect(idsOf(extendTo({ ids: new Set(), anchor }, to, listed))).toBe(ids);
});

it('keeps the anchor, so that a second shift-click extends from the same row', () => {
  const first = extendTo(toggle(nothingSelected, 'b'), 'd', listed);
  expect(idsOf(extendTo(first, 'a', listed))).toBe('abcd');
});

it('selects all rows, then none', () => {
  const all = toggleAll(toggle(nothingSelected, 'b'), listed);
  expect(idsOf(all)).toBe('abcde');
  expect(idsOf(toggleAll(all, listed))).toBe('');
});

it('changes any number in parts that the server takes at once', () => {
  const many = Array.from({ length: 1201 }, (_, at) => `id${at}`);
  expect(toggleAll(nothingSelected, many).ids.size).toBe(1201);
  expect(inParts(many).map(({ length }) => length)).toEqual([500, 500, 201]);
  expect(inParts(many).flat()).toEqual(many);
});
