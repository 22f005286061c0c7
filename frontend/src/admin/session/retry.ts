// Retries with exponential backoff: 200 ms, doubled each time, while the next attempt starts within
// 30 s of the first (specification section 9). Only transient failures are retried; any other error
// is final.
import { ApiError } from '../../api/admin-client';

const initialDelay = 200;
const timeLimit = 30_000;

/** Returns the first success of `attempt`. @throws the last error. */
export async function retry<T>(attempt: () => Promise<T>, now: () => number): Promise<T> {
  const started = now();
  for (let wait = initialDelay; ; wait *= 2) {
    try {
      return await attempt();
    } catch (error) {
      const transient = error instanceof ApiError && error.transient;
      if (!transient || now() + wait - started > timeLimit) throw error;
    }
    await new Promise((resume) => setTimeout(resume, wait));
  }
}
