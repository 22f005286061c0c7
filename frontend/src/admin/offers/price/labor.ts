// The hours of one post, collected by their rate, as in src/domain/offer/labor.rs.

import type { OvertimeRules, OvertimeTier, RateCard, Terms } from '../../../api/offer-types';
import { type Clock, dayMinutes, isHoliday, parseTime, weekdayNumber } from './calendar';
import type { Days, Shift } from './shifts';

/** What is added to the rate of a minute. */
export type Extras = {
  isMinimum: boolean;
  weekend: boolean;
  holiday: boolean;
  night: boolean;
  shortNotice: number;
  overtime: number;
};

export const noExtras: Extras = {
  isMinimum: false,
  weekend: false,
  holiday: false,
  night: false,
  shortNotice: 0,
  overtime: 0,
};

export type Conditions = {
  card: RateCard;
  days: Days;
  clock: Clock;
  overtime: OvertimeRules;
  minimumMinutes: number;
  sameOfficers: boolean;
  shortNotice: number;
};

/** A week's work of the officers of a post who work all of its shifts. */
type Workweek = { first: number; days: Set<number>; regularMinutes: number };

/** The extra of short notice in basis points. */
export function shortNotice(card: RateCard, terms: Terms): number {
  const hours = terms.notice_hours;
  if (hours === null) return 0;
  return card.short_notice.tiers.find((tier) => hours < tier.under_hours)?.basis_points ?? 0;
}

/** Whether short notice makes a day more expensive. */
export const isEarly = (card: RateCard, days: Days, day: number) =>
  !days.isTypicalWeek && day - days.first < card.short_notice.days;

/** The minutes of one officer by what is added to their rate, in the order of the lines. */
export function laborMinutes(of: Conditions, shifts: Shift[]): { extras: Extras; minutes: number }[] {
  const found = new Map<string, { extras: Extras; minutes: number }>();
  const add = (extras: Extras, minutes: number) => {
    const key = JSON.stringify(extras);
    const entry = found.get(key) ?? { extras, minutes: 0 };
    entry.minutes += minutes;
    found.set(key, entry);
  };
  let week: Workweek = { first: Number.NaN, days: new Set(), regularMinutes: 0 };
  for (const shift of shifts) {
    const sunday = shift.day - weekdayNumber(shift.day);
    if (week.first !== sunday) week = { first: sunday, days: new Set(), regularMinutes: 0 };
    week.days.add(shift.day);
    addShift(of, shift, week, add);
  }
  return [...found.values()].sort((a, b) => order(a.extras, b.extras));
}

function addShift(
  of: Conditions,
  shift: Shift,
  week: Workweek,
  add: (extras: Extras, minutes: number) => void,
) {
  const { daily = [], seventh_day: seventh = [] } = of.overtime;
  const tiers = of.sameOfficers && week.days.size === 7 && seventh.length ? seventh : daily;
  const early = isEarly(of.card, of.days, shift.day) ? of.shortNotice : 0;
  let worked = 0;
  for (const [from, to] of segments(of.card, shift)) {
    const extras = { ...extrasAt(of, shift.day, from), shortNotice: early };
    let left = of.clock(shift.day, from, to);
    while (left > 0) {
      const tier = tierAfter(tiers, worked);
      let taken = Math.min(left, tier.until - worked);
      let overtime = tier.basisPoints;
      if (overtime === 0 && of.sameOfficers) [overtime, taken] = weeklyOvertime(of, week, taken);
      add({ ...extras, overtime }, taken);
      worked += taken;
      left -= taken;
    }
  }
  const missing = of.minimumMinutes - worked;
  if (missing > 0 && !shift.isRelief) add({ ...noExtras, isMinimum: true, shortNotice: early }, missing);
}

/** Regular minutes of the week, up to where its overtime begins, then overtime. */
function weeklyOvertime(of: Conditions, week: Workweek, minutes: number): [number, number] {
  const tier = of.overtime.weekly;
  if (!tier) return [0, minutes];
  const left = tier.over_minutes - week.regularMinutes;
  if (left <= 0) return [tier.basis_points, minutes];
  const taken = Math.min(minutes, left);
  week.regularMinutes += taken;
  return [0, taken];
}

/** A shift, divided at midnight and where the night begins and ends. */
function segments({ night }: RateCard, { from, to }: Shift): [number, number][] {
  const minutes = [0, 1, 2].flatMap((day) =>
    [0, parseTime(night.from), parseTime(night.to)].map((minute) => day * dayMinutes + minute),
  );
  const inside = minutes.filter((minute) => minute > from && minute < to);
  const ends = [...new Set([...inside, to])].sort((a, b) => a - b);
  return ends.map((end, index) => [index ? (ends[index - 1] as number) : from, end]);
}

function extrasAt({ card, days }: Conditions, day: number, minute: number): Extras {
  const local = day + Math.floor(minute / dayMinutes);
  const ofDay = minute % dayMinutes;
  const [from, to] = [parseTime(card.night.from), parseTime(card.night.to)];
  const night = from <= to ? ofDay >= from && ofDay < to : ofDay >= from || ofDay < to;
  const holiday = !days.isTypicalWeek && isHoliday(card.holidays, local);
  const weekend = !holiday && [0, 6].includes(weekdayNumber(local));
  return { ...noExtras, night, holiday, weekend };
}

/** The extra after `worked` minutes, and the minute at which the next begins. */
function tierAfter(tiers: OvertimeTier[], worked: number): { basisPoints: number; until: number } {
  const passed = tiers.filter((tier) => worked >= tier.over_minutes).at(-1);
  const next = tiers.find((tier) => worked < tier.over_minutes);
  return { basisPoints: passed?.basis_points ?? 0, until: next?.over_minutes ?? Number.MAX_SAFE_INTEGER };
}

const rank = (extras: Extras) => [
  +extras.isMinimum,
  +extras.weekend,
  +extras.holiday,
  +extras.night,
  extras.shortNotice,
  extras.overtime,
];

function order(a: Extras, b: Extras): number {
  const [left, right] = [rank(a), rank(b)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : (left[at] as number) - (right[at] as number);
}
