// The strip of days on the clock of the company, also where the clocks change.
import { expect, it } from 'vitest';
import { daysOf, gapsIn } from './week-strip';
import { localOf, momentOf } from './zone';

const zone = 'America/Chicago';
const span = (from: string, until: string, ...people: string[]) => ({ from, until, people });

it('divides spans into the days of the company', () => {
  // 8:00 on Monday until 8:00 on Tuesday, then no one until noon.
  const spans = [
    span('2026-11-23T14:00:00Z', '2026-11-24T14:00:00Z', 'ada', 'ben'),
    span('2026-11-24T14:00:00Z', '2026-11-24T18:00:00Z'),
  ];
  expect(daysOf(spans, zone)).toEqual([
    { day: '2026-11-23', parts: [{ person: 'ada', from: 480, until: 1440 }] },
    {
      day: '2026-11-24',
      parts: [
        { person: 'ada', from: 0, until: 480 },
        { person: undefined, from: 480, until: 720 },
      ],
    },
  ]);
  expect(gapsIn(spans)).toEqual([spans[1]]);
});

it('has one day for each day where the clocks change', () => {
  const days = daysOf([span('2026-10-31T05:00:00Z', '2026-11-03T06:00:00Z', 'ada')], zone);
  expect(days.map(({ day }) => day)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02']);
  expect(days.every(({ parts }) => parts[0]?.from === 0 && parts[0].until === 1440)).toBe(true);
});

it.each([
  ['2026-11-23T08:00', '2026-11-23T14:00:00.000Z'],
  ['2026-07-01T08:00', '2026-07-01T13:00:00.000Z'],
  // The hour that occurs twice: the first. The one that is skipped: an hour later.
  ['2026-11-01T01:30', '2026-11-01T06:30:00.000Z'],
  ['2026-03-08T02:30', '2026-03-08T08:30:00.000Z'],
])('finds the moment of %s on the clock of the company', (local, at) => {
  expect(new Date(momentOf(local, zone)).toISOString()).toBe(at);
});

it('reads the clock of a zone', () => {
  const at = Date.parse('2026-11-01T06:30:00Z');
  expect(localOf(at, zone)).toEqual({ day: '2026-11-01', minute: 90 });
});
