// Words about offers: their states, amounts and days, and their events in the history.

import type { OfferVersion, Weekday } from '../../api/offers';
import { serverNow } from '../../api/server-clock';
import { dayAfter } from '../on-call/zone';
import { fieldTime } from '../requests/follow-up-times';
import { unbroken } from '../requests/format';

/** An amount as `$1,234.50`, as the server writes it. */
export function dollars(cents: number): string {
  const amount = Math.abs(cents);
  const whole = Math.floor(amount / 100).toLocaleString('en-US');
  return `${cents < 0 ? '−' : ''}$${whole}.${String(amount % 100).padStart(2, '0')}`;
}

export const weekdays: Weekday[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/** Today in this browser's zone, `YYYY-MM-DD`. */
export const today = (now = new Date(serverNow())): string => fieldTime(now).slice(0, 10);

/** The last day of a week that begins on a day. */
export const lastDayOf = (start: string): string =>
  Number.isNaN(Date.parse(`${start}T00:00:00Z`)) ? '' : dayAfter(start, 6);

/** A text with its first letter as a capital. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A day such as "Dec 14, 2026", or without its year. */
export function dayText(day: string, withYear = true): string {
  const parts = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  const year = withYear ? ({ year: 'numeric' } as const) : {};
  return unbroken(new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { ...parts, ...year }));
}

/** Until when an offer is valid whose last day is `day`, as "expires in 3 days". */
export function endText(day: string, now = new Date(serverNow())): string {
  const left = Math.round(
    (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${today(now)}T00:00:00Z`)) / 86_400_000,
  );
  if (left < 0 || left > 14) return `until ${dayText(day)}`;
  if (left === 0) return 'expires today';
  return left === 1 ? 'expires tomorrow' : `expires in ${left} days`;
}

type Value = Pick<OfferVersion, 'total_cents' | 'is_weekly'>;

export const valueText = ({ total_cents: total, is_weekly: weekly }: Value): string =>
  unbroken(`${dollars(total)}${weekly ? ' a week' : ''}`);

/** The state of an offer as a label. */
export const stateText: Record<string, string> = {
  draft: 'Draft',
  sent: 'Waiting',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  superseded: 'Replaced',
  withdrawn: 'Withdrawn',
};

/** The class of a state's badge. */
export function badgeOf(state: string): string {
  const classes = {
    sent: 'pending',
    accepted: 'completed',
    declined: 'cancelled',
  } as Record<string, string>;
  return `badge badge-${classes[state] ?? 'other'}`;
}
