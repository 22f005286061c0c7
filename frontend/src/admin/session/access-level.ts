// What a signed-in user may do here. The server decides on every call; this asks it once, cheaply, so that the page knows
// which of its states to show. An error counts as "not admin" (specification section 6), but is shown for what it is.

import { ApiError, hasErrorCode } from '../../api/admin-client';
import type { Session } from '../../api/auth';
import { listQuotes } from '../../api/quotes';
import type { SessionManager } from './session-manager';

/**
 * `factor`: a second factor is asked for. `enrol`: one is demanded and there is none yet. `unreachable`: nobody could
 * tell. `unknown`: still being asked, or nobody is signed in.
 */
export type AccessLevel = 'unknown' | 'admin' | 'member' | 'factor' | 'enrol' | 'unreachable';

/** What is said where the list of quotes cannot be had (specification section 8): the first call of the page is for that list. */
export const loadFailed = {
  title: 'Error',
  detail: 'Failed to fetch quotes. Please try again.',
  destructive: true,
};

/** The code by which the server asks for a second factor. */
const factorWanted = 'insufficient_aal';

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
    return refusedStanding(error, hasFactor);
  }
}

function refusedStanding(error: unknown, hasFactor: boolean): AccessLevel {
  if (!(error instanceof ApiError)) return 'unreachable';
  if (hasErrorCode(error, factorWanted)) return hasFactor ? 'factor' : 'enrol';
  if (error.status === 403) return 'member';
  return error.code === 'session_missing' ? 'unknown' : 'unreachable';
}
