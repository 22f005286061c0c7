// The schedule as it is edited: rotations and single shifts, and the version they were made from.
import type { Rota, RotaShift } from '../../api/on-call';
import { serverNow } from '../../api/server-clock';
import { handoverDay, type Rotation, rotationsIn } from './rotation';
import { dayAfter, localOf } from './zone';

export type Plan = {
  rotations: Rotation[];
  singles: RotaShift[];
  singleWeeks: number;
  /** A day of the first person; stored is one of the first week, which begins on Monday. */
  firstDay: string;
  version: number;
};

export function planOf({ shifts, weeks, first_day, version }: Rota, zone: string): Plan {
  const { rotations, singles } = rotationsIn(shifts, weeks);
  const today = localOf(serverNow(), zone).day;
  const firstDay = shifts.length ? dayAfter(first_day, handoverDay(rotations)) : today;
  return { rotations, singles, singleWeeks: singles.length ? weeks : 1, firstDay, version };
}
