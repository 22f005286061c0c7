// The shifts of a schedule, as in src/domain/offer/shifts.rs.

import type { Schedule, Terms } from '../../../api/offer-types';
import { dayMinutes, parseDay, parseTime, weekdayNumber, weekdayOf } from './calendar';

/** The days that a price is for: those of the term, or a typical week from Sunday to Saturday. */
export type Days = { first: number; count: number; isTypicalWeek: boolean };

/** A shift of one officer; its minutes count from the midnight of its day. */
export type Shift = { day: number; from: number; to: number; isRelief: boolean };

export function daysOf(terms: Terms): Days {
  const start = parseDay(terms.start);
  if (terms.end) return { first: start, count: parseDay(terms.end) - start + 1, isTypicalWeek: false };
  return { first: start - weekdayNumber(start), count: 7, isTypicalWeek: true };
}

export const eachDay = ({ first, count }: Days): number[] =>
  Array.from({ length: Math.max(count, 0) }, (_, index) => first + index);

export function shiftsOf(schedule: Schedule, days: Days, reliefMinutes: number): Shift[] {
  const shift = (day: number, from: string, to: string): Shift => {
    const [begin, end] = [parseTime(from), parseTime(to)];
    return { day, from: begin, to: end > begin ? end : end + dayMinutes, isRelief: false };
  };
  const all = eachDay(days).flatMap((day) => {
    if (schedule.kind === 'always') return reliefs(shift(day, schedule.from, schedule.from), reliefMinutes);
    if (schedule.kind === 'weekly')
      return schedule.shifts
        .filter((of) => of.days.includes(weekdayOf(day)))
        .map((of) => shift(day, of.from, of.to));
    if (schedule.kind === 'single')
      return schedule.shifts
        .filter((of) => parseDay(of.date) === day)
        .map((of) => shift(day, of.from, of.to));
    return [];
  });
  return all.sort((a, b) => a.day - b.day || a.from - b.from || a.to - b.to);
}

/** A day around the clock, divided into shifts of one officer each. */
function reliefs(day: Shift, reliefMinutes: number): Shift[] {
  const length = Math.min(Math.max(reliefMinutes, 60), dayMinutes);
  const count = Math.ceil((day.to - day.from) / length);
  return Array.from({ length: count }, (_, index) => {
    const from = day.from + index * length;
    return { day: day.day, from, to: Math.min(day.to, from + length), isRelief: true };
  });
}

/** The visits of each day with any; none of shifts. */
export function visitsOf(schedule: Schedule, days: Days): { day: number; count: number }[] {
  if (schedule.kind !== 'visits') return [];
  const visited = eachDay(days).filter((day) => schedule.days.includes(weekdayOf(day)));
  return visited.map((day) => ({ day, count: schedule.per_day }));
}
