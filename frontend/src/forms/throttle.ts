// The client's half of the limit on submissions (specification section 9): it spares the visitor a refusal, the server
// decides. Counted are submissions that reached the office, or its mail draft: a failed attempt may be repeated.
import { getJson, setItem } from '../safe-storage';

const maxSubmissions = 3;
const windowMs = 300_000;

function recentSubmissions(form: string, now: number): number[] {
  const times = getJson<unknown>('localStorage', `sent.${form}`, []);
  return Array.isArray(times) ? times.filter((time) => time > now - windowMs && time <= now) : [];
}

/** Whether the form may be submitted now (milliseconds since 1970): at most 3 in any 300000 ms. */
export function canSubmit(form: string, now = Date.now()): boolean {
  return recentSubmissions(form, now).length < maxSubmissions;
}

/** Counts a submission. */
export function recordSubmission(form: string, now = Date.now()) {
  setItem('localStorage', `sent.${form}`, JSON.stringify([...recentSubmissions(form, now), now]));
}
