// Offers in the words of the desk.
import { expect, it, vi } from 'vitest';
import { noteTime } from '../../api/server-clock';
import { unbroken } from '../requests/format';
import { endText, today, valueText } from './words';

const value = { total_cents: 123_450, is_weekly: true };

it('shows what an offer is worth, for a week where the service is ongoing', () => {
  expect(valueText(value)).toBe(unbroken('$1,234.50 a week'));
  expect(valueText({ ...value, is_weekly: false })).toBe('$1,234.50');
});

it('takes today from the time zone of the browser', () => {
  expect(today(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});

it('takes today from the clock of the server, where that of the browser is wrong', () => {
  vi.useFakeTimers({ now: new Date(2026, 0, 5, 12), toFake: ['Date'] });
  noteTime(new Date(2026, 1, 6, 12).toUTCString(), Date.now());
  expect(today()).toBe('2026-02-06');
  noteTime(new Date().toUTCString(), Date.now());
  expect(today()).toBe('2026-01-05');
  vi.useRealTimers();
});

it.each([
  ['2026-12-04', `until ${unbroken('Dec 4, 2026')}`],
  ['2026-12-05', 'expires today'],
  ['2026-12-06', 'expires tomorrow'],
  ['2026-12-08', 'expires in 3 days'],
  ['2027-01-05', `until ${unbroken('Jan 5, 2027')}`],
])('says of an offer that is valid until %s that it is valid %s', (day, words) => {
  expect(endText(day, new Date(2026, 11, 5, 23, 59))).toBe(words);
});
