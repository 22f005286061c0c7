// Which part of a picture is cut out.
import { expect, it } from 'vitest';
import { cutOf, isEnough, middle, portraitPlace, widePlace } from './shrink';

it.each([
  ['the middle of a wide one', { width: 3000, height: 1000 }, middle, [700, 0, 1600, 1000]],
  ['the middle of a tall one', { width: 800, height: 2000 }, middle, [0, 750, 800, 500]],
  ['its top', { width: 800, height: 2000 }, { ...middle, y: 0 }, [0, 0, 800, 500]],
  ['its right end', { width: 3000, height: 1000 }, { ...middle, x: 1 }, [1400, 0, 1600, 1000]],
  ['a half of it', { width: 1600, height: 1000 }, { zoom: 2, x: 0.5, y: 1 }, [400, 500, 800, 500]],
])('%s', (_, size, crop, expected) => {
  const { left, top, width, height } = cutOf(size, crop);
  expect([left, top, width, height].map(Math.round)).toEqual(expected);
});

it('cuts a square for a portrait, and asks for what its place needs', () => {
  const { left, width, height } = cutOf({ width: 600, height: 480 }, middle, portraitPlace);
  expect([left, width, height]).toEqual([60, 480, 480]);
  expect(isEnough({ width: 480, height: 480 }, portraitPlace)).toBe(true);
  expect(isEnough({ width: 100, height: 480 }, portraitPlace)).toBe(false);
  expect(isEnough({ width: 480, height: 480 }, widePlace)).toBe(false);
});
