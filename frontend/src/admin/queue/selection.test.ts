// Selecting rows by click, shift-click and `x`.
import { expect, it } from 'vitest';
import { extendTo, keepListed, maxSelected, nothingSelected, toggle, toggleAll } from './selection';

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

it('forgets rows that are listed no more', () => {
  expect(idsOf(keepListed(toggleAll(nothingSelected, listed), ['b', 'c']))).toBe('bc');
});

it('selects no more than the server changes at once', () => {
  const many = Array.from({ length: maxSelected + 10 }, (_, at) => `id${at}`);
  const all = toggleAll(nothingSelected, many);
  expect(all.ids.size).toBe(maxSelected);
  expect(toggle(all, 'one more').ids.size).toBe(maxSelected);
  expect(extendTo({ ids: new Set(), anchor: 'id0' }, many.at(-1) ?? '', many).ids.size).toBe(maxSelected);
});
