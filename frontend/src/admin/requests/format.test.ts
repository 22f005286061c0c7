// Formatting of waiting times, dates and statuses.

import phoneLinks from '@seeds/forms/phone-links.json';
import { expect, it } from 'vitest';
import {
  durationLabel,
  elapsed,
  personName,
  serviceLabel,
  services,
  startDay,
  statusText,
  telLink,
  timeLeft,
  unbroken,
} from './format';

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

it.each([
  [-120, '2 h left', false],
  [-0.5, '1 min left', false],
  [0, '1 min overdue', true],
  [61, '1 h overdue', true],
  [3 * 24 * 60, '3 d overdue', true],
])('says %i minutes after the due time: %s', (minutes, text, overdue) => {
  expect(timeLeft({ due_at: ago(minutes) }, now)).toEqual({ text, overdue });
});

it.each([
  ['2026-11-21', 'Today'],
  ['2026-11-22', 'Tomorrow'],
  ['2026-11-28', unbroken('Sat, Nov 28')],
  ['2027-01-02', unbroken('Jan 2, 2027')],
  ['soon', 'soon'],
])('formats the date %s as %s', (date, words) => {
  expect(startDay(date, now)).toBe(words);
});

it('formats a status with spaces and a service by its label', () => {
  expect(statusText('in_progress')).toBe('in progress');
  expect(serviceLabel({ kind: 'quote', service: 'fire-watch' })).toBe('Fire Watch');
  expect(serviceLabel({ kind: 'message', service: 'fire-watch' })).toBe('Fire Watch Services');
  expect(serviceLabel({ kind: 'quote', service: 'no-longer-offered' })).toBe('no-longer-offered');
  expect(durationLabel('one-time')).toBe('One-time event');
  expect(new Set(services.map(({ value }) => value)).size).toBe(services.length);
});

it('names a person by their address', () => {
  expect(personName({ id: '7', email: 'kim@guardpost.example' })).toBe('kim');
  expect(personName({ id: '7' })).toBe('a former colleague');
  expect(personName(null)).toBe('a former colleague');
});

it.each(Object.entries(phoneLinks))('links %s as %s', (phone, link) => {
  expect(telLink(phone)).toBe(link);
});
