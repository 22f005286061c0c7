// Formatting of waiting times, dates and statuses.

import phoneLinks from '@seeds/forms/phone-links.json';
import { expect, it } from 'vitest';
import { elapsed, optionLabel, overdue, startDay, statusText, telLink } from './format';

const now = new Date(2026, 10, 21, 12, 0).getTime();
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

it.each([
  [0, 'now'],
  [59, '59 min'],
  [60, '1 h'],
  [47 * 60 + 59, '47 h'],
  [48 * 60, '2 d'],
])('formats %i minutes as %s', (minutes, words) => {
  expect(elapsed(ago(minutes), now)).toBe(words);
});

it('is overdue after 24 hours, only while pending', () => {
  expect(overdue(ago(24 * 60), 'pending', now)).toBe(false);
  expect(overdue(ago(24 * 60 + 1), 'pending', now)).toBe(true);
  expect(overdue(ago(99 * 60), 'in_progress', now)).toBe(false);
});

it.each([
  ['2026-11-21', 'Today'],
  ['2026-11-22', 'Tomorrow'],
  ['2026-11-28', 'Sat, Nov 28'],
  ['2027-01-02', 'Jan 2, 2027'],
  ['soon', 'soon'],
])('formats the date %s as %s', (date, words) => {
  expect(startDay(date, now)).toBe(words);
});

it('formats a status with spaces and a service by its label', () => {
  expect(statusText('in_progress')).toBe('in progress');
  expect(optionLabel('serviceType', 'fire-watch')).toBe('Fire Watch');
  expect(optionLabel('duration', 'one-time')).toBe('One-time event');
  expect(optionLabel('serviceType', 'no-longer-offered')).toBe('no-longer-offered');
});

it.each(Object.entries(phoneLinks))('links %s as %s', (phone, link) => {
  expect(telLink(phone)).toBe(link);
});
