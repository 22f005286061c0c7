// Which rows of a long list are rendered, and that the list keeps its height.
import { expect, it } from 'vitest';
import { startsOf, windowRows } from './windowing';

const heights = Array.from({ length: 10_000 }, (_, index) => (index % 3 === 0 ? 70 : 50));
const total = heights.reduce((sum, height) => sum + height, 0);
const starts = startsOf(heights);

it.each([0, 300, 5_000, 250_000, total - 800, total + 5_000])('keeps its height scrolled to %i', (top) => {
  const { rows, below } = windowRows(starts, top, top + 800, [4, 9_000]);
  const rendered = rows.reduce((sum, { index, gap }) => sum + gap + (heights[index] ?? 0), 0);
  expect(rendered + below).toBe(total);
  expect(rows.length).toBeLessThan(50);
});

it('renders every row in the window, ten on each side, and those to keep', () => {
  const { rows } = windowRows(startsOf(Array(1000).fill(50)), 10_010, 10_190, [3, -1]);
  const indexes = rows.map(({ index }) => index);
  expect(indexes[0]).toBe(3);
  expect(indexes.slice(1)).toEqual(Array.from({ length: 24 }, (_, at) => 190 + at));
  expect(rows[1]?.gap).toBe(186 * 50);
});
