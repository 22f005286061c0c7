// A press on the name of a column.
import { expect, it } from 'vitest';
import { ariaSort, nextSort, type SortColumn, sorts, sortText } from './sort';

it.each([
  ['due', 'due', '-due'],
  ['start', 'start', '-start'],
  ['-value', '-value', 'value'],
] as [SortColumn, string, string][])(
  'sorts by %s, then the other way, then as its view',
  (column, first, other) => {
    expect(nextSort(undefined, column)).toBe(first);
    expect(nextSort('received', column)).toBe(first);
    expect(nextSort(first, column)).toBe(other);
    expect(nextSort(other, column)).toBe('');
  },
);

it('says the direction of the column that it is sorted by only', () => {
  expect(ariaSort('due', 'due')).toBe('ascending');
  expect(ariaSort('-due', 'due')).toBe('descending');
  expect(ariaSort('-value', '-value')).toBe('descending');
  expect(ariaSort('value', '-value')).toBe('ascending');
  expect(ariaSort('value', 'due')).toBe('none');
  expect(ariaSort(undefined, 'due')).toBe('none');
});

it('has different words for each order', () => {
  expect(new Set(sorts.map(([sort]) => sortText(sort))).size).toBe(sorts.length);
});
