// What the customer was promised on the phone: an answer right away, today, or at a time; or, for
// an emergency, who acts now. phone.css shows one of the two.

import { serverNow } from '../../api/server-clock';
import type { FieldValues } from '../../forms/rules';
import { fieldTime } from '../requests/follow-up-times';

export function PromiseField() {
  return (
    <>
      <fieldset className="choices promise-time">
        <legend>When does the customer get the answer?</legend>
        <Choice name="promise" value="now" label="Right away" chosen />
        <Choice name="promise" value="today" label="Today" />
        <Choice name="promise" value="time" label="At a time" />
        <input
          className="input promise-at"
          name="promiseAt"
          type="datetime-local"
          aria-label="Time of the answer"
          min={fieldTime(new Date(serverNow()))}
        />
      </fieldset>
      <fieldset className="choices promise-alarm">
        <legend>Who acts now?</legend>
        <Choice name="alarm" value="no" label="I take it on" chosen />
        <Choice name="alarm" value="yes" label="Raise the alarm" />
      </fieldset>
    </>
  );
}

type ChoiceProps = { name: string; value: string; label: string; chosen?: boolean };

function Choice({ name, value, label, chosen = false }: ChoiceProps) {
  return (
    <label className="field-check">
      <input type="radio" name={name} value={value} defaultChecked={chosen} />
      {label}
    </label>
  );
}

// The promise of a request by phone as the API takes it.

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
