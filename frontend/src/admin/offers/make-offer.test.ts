// An offer that was asked for before its form was loaded.
// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { askForOffer, takeAsked } from './make-offer';

afterEach(() => void vi.useRealTimers());

it('is begun once, for its request only', () => {
  askForOffer('q1');
  expect(takeAsked('q1')).toBe(true);
  expect(takeAsked('q1')).toBe(false);
  askForOffer('q1');
  expect(takeAsked('q2')).toBe(false);
  expect(takeAsked('q1')).toBe(false);
});

it('is not begun later, when the request is opened again', () => {
  vi.useFakeTimers();
  askForOffer('q1');
  vi.advanceTimersByTime(10_000);
  expect(takeAsked('q1')).toBe(false);
});
