// The client's half of the limit on submissions (specification section 9): it spares the visitor a refusal, the server
// decides. Counted are submissions that reached the office, or its mail draft: a failed attempt may be repeated.
import { keep, keptJson } from '../kept';

const most = 3;
const span = 300_000;

function recent(form: string, now: number): number[] {
  const times = keptJson<unknown>('localStorage', `sent.${form}`, []);
  return Array.isArray(times) ? times.filter((time) => time > now - span && time <= now) : [];
}

/** Whether the form may be submitted now (milliseconds since 1970): at most 3 in any 300000 ms. */
export function maySubmit(form: string, now = Date.now()): boolean {
  return recent(form, now).length < most;
}

/** Counts a submission. */
export function countSubmission(form: string, now = Date.now()) {
  keep('localStorage', `sent.${form}`, JSON.stringify([...recent(form, now), now]));
}
