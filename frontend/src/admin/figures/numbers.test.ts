import { expect, it } from 'vitest';
import { unbroken } from '../requests/format';
import { daysText, minutesText, numberText, series, shareText } from './numbers';

it('writes times as people say them', () => {
  expect([0, 45, 60, 200, 1440, 2879, 2880, 3000].map(minutesText)).toEqual([
    '0 min',
    '45 min',
    '1 h',
    '3 h 20 min',
    '24 h',
    '47 h 59 min',
    '2 d',
    '2 d 2 h',
  ]);
});

it('writes money in whole dollars, and a dash for what there is none of', () => {
  expect(numberText('won_once_cents', 125_050)).toBe('$1,251');
  expect(numberText('asked', 1234)).toBe('1,234');
  expect(numberText('median_minutes', null)).toBe('–');
  expect([shareText(1, 3), shareText(0, 5), shareText(0, 0)]).toEqual(['33%', '0%', undefined]);
});

it('names the days of a period with a year once', () => {
  expect(daysText('2026-11-16', '2026-11-22')).toBe(`${unbroken('Nov 16')} – ${unbroken('Nov 22, 2026')}`);
  expect(daysText('2025-12-30', '2026-01-02')).toBe(
    `${unbroken('Dec 30, 2025')} – ${unbroken('Jan 2, 2026')}`,
  );
  expect(daysText('2026-11-16', '2026-11-16')).toBe(unbroken('Nov 16, 2026'));
});

it('draws a long period by weeks, with the same sum', () => {
  const days = (count: number) => ({
    key: 'days',
    columns: ['views', 'asked'],
    rows: Array.from({ length: count }, (_, day) => ({
      value: `day ${day}`,
      numbers: [0, day % 3],
    })),
  });
  const sum = (points: { value: number }[]) => points.reduce((all, { value }) => all + value, 0);
  expect(series(days(92), 'asked')).toHaveLength(92);
  const year = series(days(365), 'asked');
  expect(year).toHaveLength(53);
  expect(year[1]?.day).toBe('day 1');
  expect(year.at(-1)?.day).toBe('day 358');
  expect(sum(year)).toBe(sum(series(days(365), 'asked')));
  expect(sum(year)).toBe(Array.from({ length: 365 }, (_, day) => day % 3).reduce((all, it) => all + it));
});
