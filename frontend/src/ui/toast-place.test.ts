// Where a toast is placed between what is in use.
import { expect, test } from 'vitest';
import { freeTop } from './toast-place';

const window = 800;

test('a toast that covers nothing in use stays where it is', () => {
  expect(freeTop(700, 80, [{ top: 100, bottom: 300 }], window)).toBe(700);
});

test('a toast at the foot is lifted above what stands there, also if that stands on something else', () => {
  expect(freeTop(700, 80, [{ top: 640, bottom: 800 }], window)).toBe(552);
  const both = [
    { top: 640, bottom: 800 },
    { top: 560, bottom: 600 },
  ];
  expect(freeTop(700, 80, both, window)).toBe(472);
});

test('a toast at the top is put below what stands there', () => {
  expect(freeTop(10, 80, [{ top: 0, bottom: 44 }], window)).toBe(52);
});

test('where what is in use fills the window, no place is free', () => {
  expect(freeTop(700, 80, [{ top: 20, bottom: 800 }], window)).toBeUndefined();
  expect(freeTop(10, 80, [{ top: 0, bottom: 790 }], window)).toBeUndefined();
});
