// Effects of a service error on the session and its access token.

import { ApiError } from '../../api/admin-client';

/**
 * Error codes after which a refresh token can never work again. Any other error keeps the session.
 */
const finalErrors = new Set([
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_expired',
  'session_not_found',
  'user_banned',
  'user_not_found',
  'validation_failed',
]);

/** Error codes of a call whose access token is invalid. */
const invalidTokenErrors = new Set([
  'bad_jwt',
  'session_not_found',
  'user_not_found',
  'user_banned',
  'no_authorization',
]);

/** Whether the refresh token can never work again. */
export function endsSession(error: unknown): boolean {
  return error instanceof ApiError && finalErrors.has(error.code);
}

/** Whether the access token of a call was rejected. */
export function isInvalidToken(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'insufficient_aal') return false;
  return error.status === 401 || (error.status === 403 && invalidTokenErrors.has(error.code));
}

// Retries with exponential backoff: 200 ms, doubled each time, while the next attempt starts within
// 30 s of the first (specification section 9). Only transient failures are retried; any other error
// is final.

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
