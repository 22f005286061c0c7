// Rotations: people in order who hand over each week or each day. The server keeps the shifts that
// they consist of, and a rotation is found again in them.

import type { Rota, RotaShift } from '../../api/on-call';
import { serverNow } from '../../api/server-clock';
import { dayAfter, localOf } from './zone';

export type Hours = 'always' | 'nights' | 'weekends';

export type Rotation = {
  /** User ids; the first is on call in the first week of the cycle, or on its first day. */
  people: string[];
  length: 'week' | 'day';
  /** The day of the handover of a week, from Monday, 0. */
  weekday: number;
  /** The time of the handover, or the beginning of a night, `HH:MM`. */
  at: string;
  /** The end of a night. */
  until: string;
  hours: Hours;
};

/** The longest cycle, as in src/domain/on_call/rota. */
export const maxWeeks = 12;

const saturday = 5;

export const newRotation = (hours: Hours): Rotation => ({
  people: [],
  length: 'week',
  weekday: 0,
  at: hours === 'nights' ? '18:00' : '08:00',
  until: '08:00',
  hours,
});

/** The weeks after which a rotation begins anew. */
function weeksOf({ people, length }: Rotation): number {
  const count = Math.max(1, people.length);
  if (length === 'week') return count;
  return count % 7 === 0 ? count / 7 : count;
}

/** The weeks of the cycle of several rotations; more than `maxWeeks` cannot be kept. */
export function cycleOf(rotations: Rotation[], atLeast = 1): number {
  return rotations.map(weeksOf).reduce(leastCommon, atLeast);
}

const greatest = (one: number, other: number): number => (other ? greatest(other, one % other) : one);
const leastCommon = (one: number, other: number) => (one * other) / greatest(one, other);

/** The shifts of a rotation in a cycle of so many weeks. */
export function shiftsOf(rotation: Rotation, weeks: number): RotaShift[] {
  const { people, length, weekday, hours } = rotation;
  const [first] = people;
  if (first === undefined) return [];
  const isSame = people.length === 1;
  const days = Array.from({ length: isSame ? 7 : weeks * 7 }, (_, day) => day);
  return days.flatMap((day) => {
    // A week of a rotation begins on the day of its handover.
    const shifted = day + (length === 'week' ? weekday : 0);
    const turn = length === 'week' ? Math.floor(day / 7) : day;
    const on = shifted % 7;
    if (hours === 'weekends' && on < saturday) return [];
    const week = isSame ? 0 : (Math.floor(shifted / 7) % weeks) + 1;
    const person = people[turn % people.length] ?? first;
    return { person, week, weekday: on, ...timesOf(rotation) };
  });
}

function timesOf({ hours, at, until }: Rotation) {
  if (hours === 'weekends') return { from: '00:00', until: '24:00' };
  if (hours === 'nights') return { from: at, until };
  return { from: at, until: at === '00:00' ? '24:00' : at };
}

type Found = { rotations: Rotation[]; singles: RotaShift[] };

/** Rotations among shifts; what belongs to none is a single shift. */
export function rotationsIn(shifts: RotaShift[], weeks: number): Found {
  const found: Found = { rotations: [], singles: [] };
  for (let at = 0; at < shifts.length; ) {
    const rotation = rotationAt(shifts.slice(at), weeks);
    if (rotation) {
      found.rotations.push(rotation);
      at += shiftsOf(rotation, weeks).length;
    } else {
      found.singles.push(shifts[at] as RotaShift);
      at += 1;
    }
  }
  // A shift that another order would put before a rotation would take its place.
  const kept = [...found.singles, ...ordered(found.rotations).flatMap((it) => shiftsOf(it, weeks))];
  return begins(shifts, kept) ? found : { rotations: [], singles: shifts };
}

/** A rotation with the fewest people that shifts begin with. */
function rotationAt(shifts: RotaShift[], weeks: number): Rotation | undefined {
  const [first] = shifts;
  if (!first) return undefined;
  for (let count = 1; count <= maxWeeks; count += 1)
    for (const length of ['week', 'day'] as const)
      for (const hours of ['always', 'nights', 'weekends'] as const)
        for (const weekday of length === 'week' ? [0, 1, 2, 3, 4, 5, 6] : [0]) {
          const empty = Array.from({ length: count }, (_, nth) => String(nth));
          const shape = { people: empty, length, hours, weekday, at: first.from, until: first.until };
          if (weeks % weeksOf(shape)) continue;
          const people = peopleOf(shape, shifts, weeks);
          const rotation = { ...shape, people };
          if (people.every(Boolean) && begins(shifts, shiftsOf(rotation, weeks))) return tidied(rotation);
        }
  return undefined;
}

/** Who takes each turn, by the shifts where the turn comes first. */
function peopleOf(shape: Rotation, shifts: RotaShift[], weeks: number): string[] {
  const numbered = shiftsOf(shape, weeks);
  return shape.people.map(
    (turn) => shifts[numbered.findIndex(({ person }) => person === turn)]?.person ?? '',
  );
}

const begins = (shifts: RotaShift[], with_: RotaShift[]) =>
  with_.every((shift, nth) => {
    const other = shifts[nth];
    return other && keyOf(shift) === keyOf(other);
  });

/** An end at 00:00 is the end of the day. */
const keyOf = ({ person, week, weekday, from, until }: RotaShift) =>
  [person, week, weekday, from, until === '00:00' ? '24:00' : until].join();

/** Without times that say nothing. */
function tidied(rotation: Rotation): Rotation {
  const { at, until } = newRotation(rotation.hours);
  if (rotation.hours === 'weekends') return { ...rotation, at, until };
  return rotation.hours === 'nights' ? rotation : { ...rotation, until };
}

/** The order in which shifts are kept: where two cover a time, the one before is on call. */
export function ordered(rotations: Rotation[]): Rotation[] {
  const rank = ({ hours }: Rotation) => (hours === 'always' ? 1 : 0);
  return [...rotations].sort((one, other) => rank(one) - rank(other));
}

/** The days from Monday to the handover of the first rotation by week. */
export const handoverDay = (rotations: Rotation[]): number =>
  rotations.find(({ length }) => length === 'week')?.weekday ?? 0;

export type Plan = {
  rotations: Rotation[];
  singles: RotaShift[];
  singleWeeks: number;
  /** A day of the first person; stored is one of the first week, which begins on Monday. */
  firstDay: string;
  version: number;
};

/**
 * The schedule as it is edited: rotations and single shifts, and the version they were made from.
 */
export function planOf({ shifts, weeks, first_day, version }: Rota, zone: string): Plan {
  const { rotations, singles } = rotationsIn(shifts, weeks);
  const today = localOf(serverNow(), zone).day;
  const firstDay = shifts.length ? dayAfter(first_day, handoverDay(rotations)) : today;
  return { rotations, singles, singleWeeks: singles.length ? weeks : 1, firstDay, version };
}
