// The draft of an offer, and what is added to one. What cannot be read is an empty text, or NaN.

import states from '@seeds/site/states.json?pick=slug,name,code';
import type { OfferDraft, OfficerClass, Post, RateCard, Schedule, Terms } from '../../api/offers';
import { serverNow } from '../../api/server-clock';
import type { Option } from '../ui/choice';
import { today, weekdays } from './words';

export type ManualLine = Terms['manual'][number];
export type Discount = NonNullable<Terms['discount']>;

export const stateOptions = states.map(({ code, name }): Option => [code, name]);

export const scheduleKinds: { value: Schedule['kind']; label: string }[] = [
  { value: 'always', label: '24/7' },
  { value: 'weekly', label: 'Every week' },
  { value: 'single', label: 'Single shifts' },
  { value: 'visits', label: 'Patrol visits' },
];

/** The kinds of schedules of a class: visits are charged by visit, everything else by time. */
export function kindsFor(unit: OfficerClass['unit'] | undefined) {
  if (unit === 'visit') return scheduleKinds.filter(({ value }) => value === 'visits');
  return scheduleKinds.filter(({ value }) => value !== 'visits');
}

/** A schedule of a kind to begin with; it begins at no time of today that is past. */
export function newSchedule(kind: Schedule['kind'], start: string): Schedule {
  switch (kind) {
    case 'always':
      return { kind, from: notPast('08:00', start) };
    case 'weekly':
      return { kind, shifts: [newWeeklyShift()] };
    case 'single':
      return { kind, shifts: [{ date: start, from: notPast('18:00', start), to: '06:00' }] };
    case 'visits':
      return { kind, days: [...weekdays], per_day: 3 };
  }
}

/** A time of a day, or the next full hour if that day is today and the time is past. */
function notPast(time: string, day: string, now = new Date(serverNow())): string {
  const hour = Math.min(now.getHours() + 1, 23);
  const next = `${String(hour).padStart(2, '0')}:00`;
  return day === today(now) && time < next ? next : time;
}

export const newWeeklyShift = () => ({
  days: weekdays.filter((day) => day !== 'saturday' && day !== 'sunday'),
  from: '08:00',
  to: '16:00',
});

/** A post of another class; its schedule changes where the class is charged by something else. */
export function withClass(post: Post, key: string, card: RateCard, start: string): Post {
  const kinds = kindsFor(card.classes[key]?.unit);
  const fits = kinds.some(({ value }) => value === post.schedule.kind);
  const schedule = fits ? post.schedule : newSchedule(kinds[0]?.value ?? 'always', start);
  return { ...post, class: key, schedule };
}

/** Another post at the place of the last one. */
export function anotherPost(terms: Terms, card: RateCard): Post {
  const last = terms.posts.at(-1);
  const key = last?.class ?? Object.keys(card.classes)[0] ?? '';
  const [first] = kindsFor(card.classes[key]?.unit);
  return {
    title: '',
    city: last?.city ?? '',
    state: last?.state ?? '',
    class: key,
    officers: 1,
    schedule: newSchedule(first?.value ?? 'always', terms.start),
    same_officers: false,
    equipment: [],
  };
}

export const newLine = (terms: Terms): ManualLine => ({
  title: '',
  cents: Number.NaN,
  state: terms.posts[0]?.state || null,
});

/** Cents of what was typed, as in "1,250" or "$99.50"; NaN if it is no amount. */
export function parseAmount(text: string): number {
  const plain = text
    .trim()
    .replace(/^([-−])?\s*\$/, '$1')
    .replaceAll(',', '')
    .replace('−', '-');
  return /^-?\d{1,9}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : Number.NaN;
}

export const amountText = (cents: number): string => (Number.isNaN(cents) ? '' : (cents / 100).toFixed(2));

// Schedules that are only proposed: a person confirms each, or enters another, before the offer is
// sent.

/** The draft without the mark of a post: its schedule is confirmed. */
export const confirmed = (draft: OfferDraft, nth: number): OfferDraft => ({
  ...draft,
  unconfirmed_schedules: draft.unconfirmed_schedules.filter((one) => one !== nth),
});

/**
 * The draft `next` with the marks that its posts have after `field` was changed. What a person has
 * typed is confirmed by that; a post that was added, or has begun anew with another class, is not.
 */
export function marked(draft: OfferDraft, next: OfferDraft, field: string): OfferDraft {
  const [, typed] = /^posts\.(\d+)\.schedule/.exec(field) ?? [];
  const { posts } = draft.terms;
  const isMarked = (post: Post, nth: number) => {
    if (String(nth) === typed) return false;
    const before = posts.findIndex(({ schedule }) => schedule === post.schedule);
    return before < 0 || draft.unconfirmed_schedules.includes(before);
  };
  const marks = next.terms.posts.flatMap((post, nth) => (isMarked(post, nth) ? [nth] : []));
  return { ...next, unconfirmed_schedules: marks };
}

/** The unconfirmed schedules, as faults of their posts. */
export const unconfirmedFaults = ({ terms, unconfirmed_schedules: marks }: OfferDraft): Faults =>
  Object.fromEntries(
    marks
      .filter((nth) => nth < terms.posts.length)
      .map((nth) => [
        `posts.${nth}.schedule`,
        'These days and hours are only proposed. Confirm them, or enter others.',
      ]),
  );

// What cannot be sent to the server as it is typed. The server checks the rest.

/** Messages by field, as `posts.0.officers`. */
export type Faults = Record<string, string>;

/** What cannot be stored as it is: the draft is kept in this tab until it is complete. */
export function unreadable({ terms, valid_until }: OfferDraft): Faults {
  const faults: Faults = {};
  const day = (field: string, text: Terms['end'], message: string) => {
    if (typeof text === 'string' && !/^\d{4}-\d{2}-\d{2}$/.test(text)) faults[field] = message;
  };
  const number = (field: string, value: Terms['notice_hours'], message: string) => {
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0)) faults[field] = message;
  };
  const time = (field: string, text: string) => {
    if (!/^\d{2}:\d{2}$/.test(text)) faults[field] = 'Enter a time.';
  };
  day('start', terms.start, 'Choose the first day.');
  day('end', terms.end, 'Choose the last day.');
  day('valid_until', valid_until, 'Choose the last day on which it can be accepted.');
  number('notice_hours', terms.notice_hours, 'Enter hours, such as 24.');
  for (const [nth, { officers, schedule }] of terms.posts.entries()) {
    const at = `posts.${nth}`;
    number(`${at}.officers`, officers, 'Enter a number of officers.');
    if (schedule.kind === 'always') time(`${at}.schedule.from`, schedule.from);
    if (schedule.kind === 'visits')
      number(`${at}.schedule.per_day`, schedule.per_day, 'Enter a number of visits.');
    if (schedule.kind !== 'weekly' && schedule.kind !== 'single') continue;
    for (const [row, shift] of schedule.shifts.entries()) {
      time(`${at}.schedule.shifts.${row}.from`, shift.from);
      time(`${at}.schedule.shifts.${row}.to`, shift.to);
      if ('date' in shift) day(`${at}.schedule.shifts.${row}.date`, shift.date, 'Choose the day.');
    }
  }
  for (const [nth, { cents }] of terms.manual.entries())
    if (Number.isNaN(cents)) faults[`manual.${nth}.cents`] = 'Enter an amount, such as 125.00.';
  const { basis_points: part, cents } = terms.discount ?? { basis_points: 0, cents: 0 };
  if (Number.isNaN(part) || Number.isNaN(cents)) faults.discount = 'Enter a discount, such as 5% or 100.00.';
  return faults;
}
