// The promise of a request by phone as the API takes it.
import type { FieldValues } from '../../forms/rules';

const minute = 60_000;
/** The hour by which "today" is kept, unless that is less than an hour away. */
const endOfDay = 17;

/** When the answer is due, or an error. */
export function promiseOf(typed: FieldValues, now: Date): { promise?: string; alarm?: true } | string {
  if (typed.emergencyContact === 'on') return typed.alarm === 'yes' ? { alarm: true } : {};
  if (typed.promise === 'today') {
    const end = new Date(now.getFullYear(), now.getMonth(), now.getDate(), endOfDay);
    return { promise: new Date(Math.max(end.getTime(), now.getTime() + 60 * minute)).toISOString() };
  }
  if (typed.promise !== 'time') return {};
  const at = new Date(typed.promiseAt ?? '');
  if (Number.isNaN(at.getTime())) return 'Choose the day and the time of the answer.';
  return at > now ? { promise: at.toISOString() } : 'The time of the answer has passed.';
}
