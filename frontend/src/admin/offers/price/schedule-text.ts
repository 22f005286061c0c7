// Schedules in words, as in src/domain/offer/document/schedule.rs and words.rs.
import { type Schedule, type Weekday, weekdays } from '../../../api/offer-types';
import { capital } from '../words';
import { counted } from './amounts';

const listed = (words: string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** A time such as "6:00 AM", "midnight" or "noon". */
export function timeText(time: string): string {
  if (time === '00:00') return 'midnight';
  if (time === '12:00') return 'noon';
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const half = hour < 12 ? 'AM' : 'PM';
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${half}`;
}

/** Days such as "every day", "Monday to Friday" or "Monday and Thursday". */
export function daysText(of: readonly Weekday[]): string {
  const week = [...weekdays.slice(1), ...weekdays.slice(0, 1)];
  if (week.every((day) => of.includes(day))) return 'every day';
  const parts: string[] = [];
  for (let at = 0; at < week.length; ) {
    const off = week.slice(at).findIndex((day) => !of.includes(day));
    const run = week.slice(at, off < 0 ? undefined : at + off).map(capital);
    if (run.length > 2) parts.push(`${run[0]} to ${run.at(-1)}`);
    else parts.push(...run);
    at += run.length || 1;
  }
  return listed(parts);
}

/** A day such as "Fri, December 4, 2026". */
function dateText(day: string): string {
  const parts = {
    weekday: 'short',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', parts);
}

/** A schedule in a few words, such as "24 hours a day". */
export function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'always':
      return '24 hours a day';
    case 'weekly': {
      const [one, ...others] = schedule.shifts;
      if (!one || others.length) return 'on a weekly schedule';
      const isWhole = one.from === '00:00' && one.to === '00:00';
      const hours = isWhole ? '24 hours' : `${timeText(one.from)} to ${timeText(one.to)}`;
      return `${daysText(one.days)}, ${hours}`;
    }
    case 'single': {
      const [one, ...others] = schedule.shifts;
      if (!one || others.length) return counted(schedule.shifts.length, 'shift');
      return `${dateText(one.date)}, ${timeText(one.from)} to ${timeText(one.to)}`;
    }
    case 'visits': {
      const visits = counted(schedule.per_day, 'visit');
      const days = daysText(schedule.days);
      return days === 'every day' ? `${visits} every day` : `${visits} a day, ${days}`;
    }
  }
}
