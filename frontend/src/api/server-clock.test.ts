// What is due is counted by the server's clock.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const noon = Date.parse('2026-11-26T12:00:00Z');
let clock: typeof import('./server-clock');
let faults: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  vi.resetModules();
  clock = await import('./server-clock');
  faults = [];
  clock.onClockChange((fault) => faults.push(fault));
});
afterEach(() => vi.useRealTimers());

const answer = (date: string) => clock.noteTime(date, Date.now());

it('counts by the time that comes with an answer, and says once how wrong this computer is', () => {
  answer('Thu, 26 Nov 2026 10:00:00 GMT');
  expect(new Date(clock.serverNow()).toISOString()).toMatch(/^2026-11-26T10:00/);
  answer('Thu, 26 Nov 2026 09:00:00 GMT');
  expect(faults).toEqual(['2 hours ahead', '']);
});

it.each([
  ['Thu, 26 Nov 2026 12:00:01 GMT', 0],
  ['Thu, 26 Nov 2026 12:00:30 GMT', 30_500],
  ['no time', 0],
])('says nothing of a difference that no one notices: %s', (date, ahead) => {
  answer(date);
  expect(clock.serverNow() - noon).toBe(ahead);
  expect(faults.join('')).toBe('');
});

it('learns nothing from an answer for which this computer has slept', () => {
  clock.noteTime('Thu, 26 Nov 2026 10:00:00 GMT', noon - 10 * 60_000);
  expect(clock.serverNow()).toBe(noon);
});
