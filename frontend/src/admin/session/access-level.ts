// What a signed-in user may do here. The server decides on every call; this asks it once, so that the page knows
// which state to show. An error counts as "not admin" (specification section 6), but is shown as an error.

import { ApiError, hasErrorCode } from '../../api/admin-client';
import type { Session } from '../../api/auth';
import { listQuotes } from '../../api/quotes';
import type { SessionManager } from './session-manager';

/**
 * `factor`: a second factor is needed. `enroll`: one is required but not set up. `unreachable`: the server did
 * not answer. `unknown`: not answered yet, or not signed in.
 */
export type AccessLevel = 'unknown' | 'admin' | 'member' | 'factor' | 'enroll' | 'unreachable';

/** The toast when the quote list cannot be loaded (specification section 8). */
export const loadFailed = {
  title: 'Error',
  detail: 'Failed to fetch quotes. Please try again.',
  destructive: true,
};

/** The error code by which the server asks for a second factor. */
const insufficientAal = 'insufficient_aal';

export async function fetchAccessLevel(
  manager: SessionManager,
  { user, aal }: Session,
): Promise<AccessLevel> {
  const hasFactor = (user.factors ?? []).some(({ status }) => status === 'verified');
  if (hasFactor && aal !== 'aal2') return 'factor';
  try {
    await manager.withToken((token) => listQuotes(token, { limit: 1 }));
    return 'admin';
  } catch (error) {
    return levelOfError(error, hasFactor);
  }
}

function levelOfError(error: unknown, hasFactor: boolean): AccessLevel {
  if (!(error instanceof ApiError)) return 'unreachable';
  if (hasErrorCode(error, insufficientAal)) return hasFactor ? 'factor' : 'enroll';
  if (error.status === 403) return 'member';
  return error.code === 'session_missing' ? 'unknown' : 'unreachable';
}
