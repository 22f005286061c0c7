// Formats requests for the dashboard: times left, dates, services, statuses, in the browser's time
// zone.

import contact from '@seeds/forms/contact.json';
import quote from '@seeds/forms/quote.json';
import type { Person, RequestItem, RequestOutcome } from '../../api/inbox';
import { serverNow } from '../../api/server-clock';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A date or an amount stays on one line. */
export const unbroken = (text: string): string => text.replaceAll(' ', '\u{a0}');

/** Elapsed time as one number: `now`, `12 min`, `5 h`, `3 d`. */
export function elapsed(since: string, now: number): string {
  const age = now - Date.parse(since);
  return age < minute ? 'now' : duration(age);
}

/** A duration in milliseconds as one number, rounded down, at least one minute. */
function duration(ms: number): string {
  if (ms < hour) return `${Math.max(1, Math.floor(ms / minute))} min`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}

/** A date and time, and how long ago it was; neither wraps. */
export function ago(at: string, now: number): string {
  const age = elapsed(at, now);
  return `${dateTime(at)} (${unbroken(age === 'now' ? 'just now' : `${age} ago`)})`;
}

export function isOpen({ status }: Pick<RequestItem, 'status'>): boolean {
  return status === 'pending' || status === 'in_progress';
}

/** How long until the answer is due, or since when it is overdue; undefined if none is due. */
export function timeLeft(
  { due_at: due }: Pick<RequestItem, 'due_at'>,
  now: number,
): { text: string; overdue: boolean } | undefined {
  if (!due) return undefined;
  const left = Date.parse(due) - now;
  return left > 0
    ? { text: `${duration(left)} left`, overdue: false }
    : { text: `${duration(-left)} overdue`, overdue: true };
}

/**
 * A person as the dashboard shows them: their name, or the part of the email address before the @.
 */
export function personName(person: Person | null | undefined): string {
  return person?.name || person?.email?.split('@')[0] || 'a former colleague';
}

/** A person in a menu: the name with the address. */
function personLabel({ id, name, email }: Person): string {
  return name && email ? `${name} (${email})` : (name ?? email ?? id);
}

/** People to choose from, by their ids. */
export const peopleOptions = (people: Person[]) =>
  people.map((person): readonly [string, string] => [person.id, personLabel(person)]);

/** A date and time, as `Nov 26, 9:47 AM`; with the year unless it is the present one. */
export function dateTime(at: string, timeZone?: string): string {
  const date = new Date(at);
  const parts = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone } as const;
  const isThisYear = date.getFullYear() === new Date(serverNow()).getFullYear();
  return unbroken(date.toLocaleString('en-US', isThisYear ? parts : { year: 'numeric', ...parts }));
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
  const year = sameYear ? ({ weekday: 'short' } as const) : ({ year: 'numeric' } as const);
  return unbroken(at.toLocaleDateString('en-US', { ...year, ...parts }));
}

type Option = { value: string; label: string };

function optionsOf(form: { fields: { field: string; options?: Option[] }[] }, field: string): Option[] {
  return form.fields.find((rule) => rule.field === field)?.options ?? [];
}

const quoteServices = optionsOf(quote, 'serviceType');
const messageServices = optionsOf(contact, 'service');
const durations = optionsOf(quote, 'duration');

/** The services of both forms, each value and each label once. */
export const services: readonly Option[] = [
  ...quoteServices,
  ...messageServices
    .filter(({ value }) => !quoteServices.some((known) => known.value === value))
    .map(({ value, label }) => {
      const isTaken = quoteServices.some((known) => known.label === label);
      return { value, label: isTaken ? `${label} (messages)` : label };
    }),
];

/** The label of a request's service; a value that is no longer offered is returned unchanged. */
export function serviceLabel({ kind, service }: Pick<RequestItem, 'kind' | 'service'>): string {
  return labelIn(kind === 'message' ? messageServices : quoteServices, service);
}

export function durationLabel(value: string): string {
  return labelIn(durations, value);
}

function labelIn(options: readonly Option[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}

/** A request's customer: the name, and the company if there is one. */
export function customer({
  first_name,
  last_name,
  company,
}: Pick<RequestItem, 'first_name' | 'last_name' | 'company'>) {
  return [`${first_name} ${last_name}`.trim(), company].filter(Boolean).join(', ');
}

/** A status as it is displayed: underscores replaced by spaces (specification section 4). */
export function statusText(status: string): string {
  return status.replaceAll('_', ' ');
}

/**
 * A phone number as an international `tel:` link, +1 by default. Same rule as `tel_link` in
 * src/config/company.rs; both are tested with seeds/forms/phone-links.json.
 */
export function telLink(phone: string): string {
  const digits = phone.replace(/[^0-9]/g, '');
  if (phone.trimStart().startsWith('+')) return `tel:+${digits}`;
  const abroad = /^(?:011|00)(.*)/.exec(digits)?.[1];
  if (abroad !== undefined) return `tel:+${abroad}`;
  if (digits.length === 10) return `tel:+1${digits}`;
  const withCountry = digits.length === 11 && digits.startsWith('1');
  return withCountry ? `tel:+${digits}` : `tel:${digits}`;
}

// Where visits come from, in words.

/** The sources of requests. */
export const sourceNames: Record<string, string> = {
  direct: 'Direct or unknown',
  search: 'Search engines',
  social: 'Social networks',
  website: 'Other websites',
  ad: 'Advertisements',
  email: 'Email campaigns',
  campaign: 'Other campaigns',
  phone: 'Phone',
};

/** A count, with a mark if there may be more. */
export const countText = (count: number, atLeast = false): string =>
  `${count.toLocaleString('en-US')}${atLeast && count > 0 ? '+' : ''}`;

/** As in "A, B and C". */
export const listText = (words: string[]) => new Intl.ListFormat('en-GB').format(words);

/** As in "2 files"; empty for none. */
export function counted(count: number, one: string, many = `${one}s`, more = ''): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')}${more} ${many}`;
}

/** The outcomes, in the order of their keys 1 to 3. */
export const outcomes = [
  ['won', 'Won'],
  ['lost', 'Lost'],
  ['not_customer', 'Not a customer'],
] as const;

export type OutcomeName = RequestOutcome['outcome'];

/** Why a request is lost. */
export const reasons: readonly (readonly [value: string, label: string])[] = [
  ['price', 'Price'],
  ['competitor', 'Another company'],
  ['timing', 'Not needed any longer'],
  ['no_answer', 'No answer from them'],
  ['cannot_serve', 'We cannot serve it'],
  ['other', 'Other'],
];

/** How a request has ended, in words. */
function outcomeName(outcome: OutcomeName): string {
  return outcomes.find(([value]) => value === outcome)?.[1] ?? outcome;
}

type Told = Pick<RequestOutcome, 'outcome' | 'reason' | 'per'>;

/** As in "Won, $1,250.50 a month" or "Lost: price". `value` is in dollars and cents. */
export function outcomeText({ outcome, reason, per }: Told, value: string | null | undefined): string {
  const why = reasons.find(([known]) => known === reason)?.[1];
  const name = why ? `${outcomeName(outcome)}: ${why.toLowerCase()}` : outcomeName(outcome);
  return value ? `${name}, ${money(value)} ${per === 'month' ? 'a month' : 'in all'}` : name;
}

/** Dollars, with cents if there are any. */
function money(value: string): string {
  const digits = value.endsWith('.00') ? 0 : 2;
  return Number(value).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
