// Trying again: 200 ms, then twice as long each time, as long as the next attempt still begins within 30 s of the first
// (specification section 9). Only failures that may pass are tried again; a refusal is final.
import { ApiError } from '../../api/admin-client';

const first = 200;
const within = 30_000;

/** Gives the first success of `attempt`. @throws the last error. */
export async function retry<T>(attempt: () => Promise<T>, now: () => number): Promise<T> {
  const started = now();
  for (let wait = first; ; wait *= 2) {
    try {
      return await attempt();
    } catch (error) {
      const passing = error instanceof ApiError && error.transient;
      if (!passing || now() + wait - started > within) throw error;
    }
    await new Promise((resume) => setTimeout(resume, wait));
  }
}
