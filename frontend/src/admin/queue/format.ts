// Formats quote data for the desk: waiting times, dates, services, statuses, in the browser's time zone.
import quote from '@seeds/forms/quote.json';
import type { Status } from '../../api/quotes';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The response time that the site promises, in milliseconds (specification section 9). */
const responseTime = 24 * hour;

/** Elapsed time as one number: `now`, `12 min`, `5 h`, `3 d`. */
export function elapsed(since: string, now: number): string {
  const age = now - Date.parse(since);
  if (age < minute) return 'now';
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < 2 * day) return `${Math.floor(age / hour)} h`;
  return `${Math.floor(age / day)} d`;
}

/** A date and time, and how long ago it was; the latter does not wrap. */
export function ago(at: string, now: number): string {
  const age = elapsed(at, now);
  return `${dateTime(at)} (${(age === 'now' ? 'just now' : `${age} ago`).replaceAll(' ', '\u{a0}')})`;
}

/** Whether a pending request is older than the promised response time. */
export function overdue(since: string, status: Status, now: number): boolean {
  return status === 'pending' && now - Date.parse(since) > responseTime;
}

/** The full date and time. */
export function dateTime(at: string): string {
  return new Date(at).toLocaleString('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}

/** A calendar date (`YYYY-MM-DD`) as `Today`, `Tomorrow` or a short date. */
export function startDay(date: string, now: number): string {
  const at = new Date(`${date}T00:00:00`);
  if (Number.isNaN(at.getTime())) return date;
  const today = new Date(now);
  today.setHours(0, 0, 0, 0);
  const days = Math.round((at.getTime() - today.getTime()) / day);
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  const sameYear = at.getFullYear() === today.getFullYear();
  const parts = { month: 'short', day: 'numeric' } as const;
  return at.toLocaleDateString(
    'en-US',
    sameYear ? { weekday: 'short', ...parts } : { year: 'numeric', ...parts },
  );
}

/** The label of a quote form option; a value that is no longer offered is returned unchanged. */
export function optionLabel(field: 'serviceType' | 'duration', value: string): string {
  const options = quote.fields.find((rule) => rule.field === field)?.options ?? [];
  return options.find((option) => option.value === value)?.label ?? value;
}

/** A status as it is displayed: underscores replaced by spaces (specification section 4). */
export function statusText(status: string): string {
  return status.replaceAll('_', ' ');
}

/** A phone number as an international `tel:` link, +1 by default. Same rule as `tel_link` in src/config/company.rs;
 * both are tested with seeds/forms/phone-links.json. */
export function telLink(phone: string): string {
  const digits = phone.replace(/[^0-9]/g, '');
  if (phone.trimStart().startsWith('+')) return `tel:+${digits}`;
  const abroad = /^(?:011|00)(.*)/.exec(digits)?.[1];
  if (abroad !== undefined) return `tel:+${abroad}`;
  if (digits.length === 10) return `tel:+1${digits}`;
  const withCountry = digits.length === 11 && digits.startsWith('1');
  return withCountry ? `tel:+${digits}` : `tel:${digits}`;
}
