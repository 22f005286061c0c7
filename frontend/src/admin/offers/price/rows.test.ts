// The rows of a price and the words of schedules, as the server writes them.
import card from '@seeds/offers/rate-card.json';
import { expect, it } from 'vitest';
import type { Post, RateCard, Schedule, Terms } from '../../../api/offer-types';
import { zoneOf } from '../draft';
import { priceOf } from './price';
import { priceRows } from './rows';
import { daysText, scheduleText, timeText } from './schedule-text';

const post = (changes: Partial<Post>): Post => ({
  title: '',
  city: 'Houston',
  state: 'TX',
  class: 'fire-watch',
  officers: 1,
  schedule: { kind: 'always', from: '08:00' },
  same_officers: false,
  equipment: [],
  ...changes,
});

const terms = (posts: Post[], changes: Partial<Terms> = {}): Terms => ({
  start: '2026-12-04',
  end: '2026-12-10',
  notice_hours: null,
  posts,
  manual: [],
  discount: null,
  tax_exemption: null,
  ...changes,
});

const rows = (of: Terms) => priceRows(priceOf(card as unknown as RateCard, of, zoneOf), of);

it('has one row for the hours of a post, with their parts', () => {
  expect(rows(terms([post({})]))).toEqual([
    {
      post: 0,
      title: 'Fire watch officer, 24 hours a day, 7 days',
      parts: [
        '80 h × 1 officer × $34.00: $2,720.00',
        '40 h × 1 officer × $36.00 (night +$2.00): $1,440.00',
        '32 h × 1 officer × $35.70 (weekend +$1.70): $1,142.40',
        '16 h × 1 officer × $37.70 (weekend +$1.70, night +$2.00): $603.20',
      ],
      cents: 590_560,
      isManual: false,
    },
  ]);
});

it('names the officers and the schedule of each post of an ongoing service', () => {
  const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
  const gate: Schedule = { kind: 'weekly', shifts: [{ days: [...weekdays], from: '18:00', to: '06:00' }] };
  const posts = [post({ class: 'unarmed', schedule: gate }), post({ class: 'armed', officers: 2 })];
  const manual = [{ title: 'Guard booth', cents: 18_000, state: 'TX' }];
  const found = rows(terms(posts, { end: null, manual }));
  expect(found.map(({ title }) => title)).toEqual([
    'Unarmed officer, Monday to Friday, 6:00 PM to 6:00 AM',
    '2 × Armed officer, 24 hours a day',
    'Guard booth',
  ]);
  expect(found.map(({ isManual }) => isManual)).toEqual([false, false, true]);
});

it.each([
  [['sunday', 'monday', 'tuesday', 'wednesday'], 'Monday to Wednesday and Sunday'],
  [['friday', 'monday', 'wednesday'], 'Monday, Wednesday and Friday'],
  [['saturday', 'sunday'], 'Saturday and Sunday'],
  [['thursday'], 'Thursday'],
  [[], ''],
] as const)('names the days %j', (days, text) => {
  expect(daysText(days)).toBe(text);
});

it.each([
  ['00:00', 'midnight'],
  ['00:05', '12:05 AM'],
  ['12:00', 'noon'],
  ['12:30', '12:30 PM'],
  ['23:59', '11:59 PM'],
])('writes %s as %s', (time, text) => {
  expect(timeText(time)).toBe(text);
});

it('names whole days, visits and single shifts', () => {
  const weekly = (of: object[]) => scheduleText({ kind: 'weekly', shifts: of } as Schedule);
  const whole = { days: ['saturday', 'sunday'], from: '00:00', to: '00:00' };
  expect(weekly([whole])).toBe('Saturday and Sunday, 24 hours');
  expect(weekly([whole, whole])).toBe('on a weekly schedule');
  expect(scheduleText({ kind: 'visits', days: ['monday'], per_day: 1 })).toBe('1 visit a day, Monday');
  const shift = { date: '2026-12-04', from: '08:00', to: '16:00' };
  expect(scheduleText({ kind: 'single', shifts: [shift, shift] })).toBe('2 shifts');
  const one = 'Fri, December 4, 2026, 8:00 AM to 4:00 PM';
  expect(scheduleText({ kind: 'single', shifts: [shift] })).toBe(one);
});
