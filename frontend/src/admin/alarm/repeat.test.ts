// The repeated tone of an emergency.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from './alarm-provider';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('rings every ten seconds for a minute, then each minute, until it is stopped', () => {
  const at: number[] = [];
  const start = Date.now();
  const stop = repeat(() => at.push((Date.now() - start) / 1000));
  vi.advanceTimersByTime(200_000);
  expect(at).toEqual([0, 10, 20, 30, 40, 50, 60, 120, 180]);
  stop();
  vi.advanceTimersByTime(200_000);
  expect(at).toHaveLength(9);
});
