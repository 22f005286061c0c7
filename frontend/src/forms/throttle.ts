// Client-side submission limit (specification section 9). It avoids a rejected request; the server
// enforces the limit. Only accepted submissions and fallback emails count, so a failed attempt can
// be repeated.
import { getJson, setItem } from '../safe-storage';

const maxSubmissions = 3;
const windowMs = 300_000;

function recentSubmissions(form: string, now: number): number[] {
  const times = getJson<unknown>('localStorage', `sent.${form}`, []);
  return Array.isArray(times) ? times.filter((time) => time > now - windowMs && time <= now) : [];
}

/**
 * Whether the form may be submitted at `now` (Unix milliseconds): at most 3 times in any 300000 ms.
 */
export function canSubmit(form: string, now = Date.now()): boolean {
  return recentSubmissions(form, now).length < maxSubmissions;
}

/** Records a submission. */
export function recordSubmission(form: string, now = Date.now()) {
  setItem('localStorage', `sent.${form}`, JSON.stringify([...recentSubmissions(form, now), now]));
}
