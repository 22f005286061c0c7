import { expect, it } from 'vitest';
import { fieldTime, followUpTimes, shortTime } from './follow-up-times';

const labels = (now: Date, emergency = false) => followUpTimes(now, emergency).map(({ label }) => label);

it('offers this afternoon in the morning only, and Monday unless that is tomorrow', () => {
  // A Tuesday.
  const soon = ['In 5 minutes', 'In 30 minutes', 'In 1 hour'];
  expect(labels(new Date(2026, 10, 24, 9))).toEqual([
    ...soon,
    'This afternoon',
    'Tomorrow morning',
    'Monday morning',
  ]);
  expect(labels(new Date(2026, 10, 24, 14, 30))).toEqual([...soon, 'Tomorrow morning', 'Monday morning']);
  expect(labels(new Date(2026, 10, 29, 16))).toEqual([...soon, 'Tomorrow morning']);
  expect(labels(new Date(2026, 10, 24, 9), true)).toEqual(soon);
});

it('means the day and hour that it names', () => {
  const times = followUpTimes(new Date(2026, 10, 30, 9, 12), false).map(({ at }) => fieldTime(at));
  expect(times).toEqual([
    '2026-11-30T09:17',
    '2026-11-30T09:42',
    '2026-11-30T10:12',
    '2026-11-30T15:00',
    '2026-12-01T08:00',
    '2026-12-07T08:00',
  ]);
});

it('names the day of a time that is not today', () => {
  const now = new Date(2026, 10, 24, 9).getTime();
  expect(shortTime(new Date(2026, 10, 24, 15).toISOString(), now)).toBe('3:00 PM');
  expect(shortTime(new Date(2026, 10, 25, 8).toISOString(), now)).toMatch(/^Nov 25, 8:00.AM$/);
});
