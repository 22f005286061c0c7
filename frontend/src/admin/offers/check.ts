// What cannot be sent to the server as it is typed. The server checks the rest.
import type { OfferDraft } from '../../api/offer-types';

/** Messages by field, as `posts.0.officers`. */
export type Faults = Record<string, string>;

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
