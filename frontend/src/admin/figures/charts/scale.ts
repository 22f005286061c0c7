// A linear scale with whole steps. The ticks are d3-array's, which d3-scale is made of: d3-scale
// itself, with its colors and dates, would be more than half of the page's script.
import { nice, ticks } from 'd3-array';

type Range = readonly [number, number];

/** Maps numbers from 0 to `most` to `[start, end]`. */
export function scale(most: number, [start, end]: Range) {
  const at = (value: number) => start + (value / (most || 1)) * (end - start);
  return at;
}

/** The end of an axis from 0 that has room for `most`, and its whole ticks. */
export function axis(most: number, count: number): { end: number; steps: number[] } {
  const [, end] = nice(0, Math.max(1, most), count);
  return { end, steps: ticks(0, end, count).filter(Number.isInteger) };
}
