// What is wrong with a draft, by field, in the words of src/domain/offer/check.rs: shown while one
// types. The server checks again, and knows more.
import type { OfferDraft, Post, RateCard, Terms } from '../../api/offer-types';
import { stateOptions } from './draft';
import { parseDay } from './price/calendar';
import { maxCents } from './price/price';
import { daysOf, shiftsOf, visitsOf } from './price/shifts';

/** Messages by field, as `posts.0.officers`. */
export type Faults = Record<string, string>;

const maxDays = 3 * 366;

/** What cannot be stored as it is: the draft is kept in this tab until it is complete. */
export function unreadable({ terms, valid_until }: OfferDraft): Faults {
  const faults: Faults = {};
  const day = (field: string, text: string | null, message: string) => {
    if (text !== null && !/^\d{4}-\d{2}-\d{2}$/.test(text)) faults[field] = message;
  };
  const number = (field: string, value: number | undefined, message: string) => {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) faults[field] = message;
  };
  const time = (field: string, text: string) => {
    if (!/^\d{2}:\d{2}$/.test(text)) faults[field] = 'Enter a time.';
  };
  day('start', terms.start, 'Choose the first day.');
  day('end', terms.end, 'Choose the last day.');
  day('valid_until', valid_until, 'Choose the last day on which it can be accepted.');
  if (terms.notice_hours !== null) number('notice_hours', terms.notice_hours, 'Enter hours, such as 24.');
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
  const { basis_points: part, cents } = terms.discount ?? {};
  if (Number.isNaN(part ?? 0) || Number.isNaN(cents ?? 0))
    faults.discount = 'Enter a discount, such as 5% or 100.00.';
  return faults;
}

/** All that is wrong with a draft; `today` is `YYYY-MM-DD`. */
export function faultsOf(draft: OfferDraft, card: RateCard, today: string): Faults {
  const faults = { ...extras(draft), ...unreadable(draft) };
  const { terms } = draft;
  if (!faults.start && terms.start < today)
    faults.start = 'The start is in the past. Choose today or a later day.';
  if (!faults.end && terms.end !== null && terms.end < terms.start)
    faults.end = 'The last day is before the start.';
  if (!faults.end && terms.end !== null && parseDay(terms.end) - parseDay(terms.start) >= maxDays)
    faults.end = 'The term is longer than three years. Offer an ongoing service instead.';
  if (!faults.valid_until && draft.valid_until < today)
    faults.valid_until = 'Choose a day from today, at most 365 days ahead.';
  if (!terms.posts.length && !terms.manual.length) faults.posts = 'Add at least one post.';
  const canWalk = !faults.start && !faults.end;
  for (const [nth, post] of terms.posts.entries())
    Object.assign(faults, ofPost(post, `posts.${nth}`, { card, terms, canWalk, faults }));
  return faults;
}

type Context = { card: RateCard; terms: Terms; canWalk: boolean; faults: Faults };

function ofPost(post: Post, at: string, { card, terms, canWalk, faults }: Context): Faults {
  const found: Faults = {};
  if (!stateOptions.some(([code]) => code === post.state)) found[`${at}.state`] = 'Choose a state.';
  if (!faults[`${at}.officers`] && (post.officers < 1 || post.officers > 500))
    found[`${at}.officers`] = 'Enter 1 to 500.';
  if (!card.classes[post.class]) found[`${at}.class`] = 'Choose a class of the rate card.';
  for (const key of post.equipment)
    if (!card.equipment[key]) found[`${at}.equipment`] = `The rate card has no equipment "${key}".`;
  const isRead = !Object.keys(faults).some((field) => field.startsWith(`${at}.schedule`));
  const wrong = canWalk && isRead ? scheduleFault(post, terms, card) : '';
  if (wrong) found[`${at}.schedule`] = wrong;
  return found;
}

function scheduleFault({ schedule }: Post, terms: Terms, card: RateCard): string {
  const days = daysOf(terms);
  if (schedule.kind === 'single') {
    if (days.isTypicalWeek) return 'Single shifts need a last day: an ongoing service repeats every week.';
    const last = days.first + days.count;
    const isOutside = (day: number) => day < days.first || day >= last;
    if (schedule.shifts.some(({ date }) => isOutside(parseDay(date))))
      return 'A shift is outside of the term.';
  }
  if (schedule.kind === 'visits' && schedule.per_day > 100) return 'At most 100 visits a day.';
  const hasHours = shiftsOf(schedule, days, card.relief_minutes).length > 0;
  const hasVisits = visitsOf(schedule, days).some(({ count }) => count > 0);
  return hasHours || hasVisits ? '' : 'The post has no hours in the term. Add a shift.';
}

function extras({ terms, message }: OfferDraft): Faults {
  const faults: Faults = {};
  if ([...message].length > 2000) faults.message = 'At most 2000 characters.';
  for (const [nth, { title, cents }] of terms.manual.entries()) {
    if (!title.trim()) faults[`manual.${nth}.title`] = 'Say what the line is for.';
    if (cents === 0 || Math.abs(cents) > maxCents)
      faults[`manual.${nth}.cents`] = 'Enter an amount other than 0, up to $100 million.';
  }
  const { discount, tax_exemption: exemption } = terms;
  if (discount) {
    const { basis_points: part = 0, cents = 0, reason } = discount;
    if (!reason.trim()) faults['discount.reason'] = 'Say why there is a discount.';
    if (part < 0 || part > 10_000 || cents < 0 || cents > maxCents || part + cents === 0)
      faults.discount = 'Enter a discount of more than 0 and at most 100%.';
  }
  if (exemption !== null && !exemption.trim())
    faults.tax_exemption = 'Enter the number of the exemption certificate.';
  return faults;
}
