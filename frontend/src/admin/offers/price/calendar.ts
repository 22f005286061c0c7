// Days and times of schedules, as in src/domain/offer/calendar.rs. A day is a number of days since
// 1970-01-01.
import { type Holiday, type Weekday, weekdays } from '../../../api/offer-types';

export const dayMinutes = 24 * 60;

export const parseDay = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000;

export const weekdayNumber = (day: number): number => (((day + 4) % 7) + 7) % 7;

export const weekdayOf = (day: number): Weekday => weekdays[weekdayNumber(day)] as Weekday;

/** A time as `HH:MM`, in minutes after midnight. */
export function parseTime(text: string): number {
  const [hour = '', minute = ''] = text.split(':');
  return Number(hour) * 60 + Number(minute);
}

export function isHoliday(holidays: Holiday[], day: number): boolean {
  const date = new Date(day * 86_400_000);
  const [month, ofMonth] = [date.getUTCMonth() + 1, date.getUTCDate()];
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate();
  return holidays.some((holiday) => {
    if (holiday.month !== month) return false;
    const isNth = holiday.nth === -1 ? ofMonth + 7 > daysInMonth : Math.ceil(ofMonth / 7) === holiday.nth;
    return holiday.day === ofMonth || (isNth && holiday.weekday === weekdayOf(day));
  });
}

/** The minutes between two local times, which are minutes after the midnight of `day`. */
export type Clock = (day: number, from: number, to: number) => number;

/** Of a typical week, in which each hour occurs once. */
export const typicalClock: Clock = (_day, from, to) => to - from;

/** The clock of a time zone (IANA), where an hour can be missing or occur twice. */
export function zoneClock(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
    hourCycle: 'h23',
  });
  const known = new Map<number, number>();
  /** The offset from UTC at a minute since 1970, in minutes. */
  const offsetAt = (minute: number) => {
    const hour = Math.floor(minute / 60);
    const found = known.get(hour) ?? parseOffset(format.formatToParts(minute * 60_000));
    known.set(hour, found);
    return found;
  };
  const atUtc = (local: number) => {
    // A time that occurs twice is the first of both; a missing one moves ahead by the missing hour.
    const [before, after] = [offsetAt(local - dayMinutes), offsetAt(local + dayMinutes)];
    const fits = [before, after].filter((offset) => offsetAt(local - offset) === offset);
    return local - (fits.length ? Math.max(...fits) : before);
  };
  return (day, from, to) => atUtc(day * dayMinutes + to) - atUtc(day * dayMinutes + from);
}

function parseOffset(parts: Intl.DateTimeFormatPart[]): number {
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hour, minute] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hour ?? 0) * 60 + Number(minute ?? 0));
}
