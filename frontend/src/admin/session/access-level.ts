// The access level of a signed-in user. The server decides on every call. The first call reads the
// first page of the list at the current address, so that an admin's list is there as soon as the
// access level is known. An error counts as "not admin" (specification section 6), but is shown as
// an error.
import { ApiError, hasErrorCode } from '../../api/admin-client';
import type { Session } from '../../api/auth';
import { type InboxPage, type InboxQuery, listRequests } from '../../api/inbox';
import { listQuery, parseDeskUrl } from '../requests/desk-url';
import type { SessionManager } from './session-manager';

/**
 * `dispatcher`: requests only. `member`: no access. `factor`: a second factor is needed. `enroll`:
 * one is required but not set up. `unreachable`: the server did not answer. `unknown`: not answered
 * yet, or not signed in.
 */
export type AccessLevel = 'unknown' | 'admin' | 'dispatcher' | 'member' | 'factor' | 'enroll' | 'unreachable';

/** The first page of a list, with its query and when it was read (milliseconds). */
export type FirstPage = { query: InboxQuery; page: InboxPage; at: number };

export type Access = { level: AccessLevel; firstPage?: FirstPage };

/** The toast when the quote list cannot be loaded (specification section 8). */
export const loadFailed = {
  title: 'Error',
  detail: 'Failed to fetch quotes. Please try again.',
  destructive: true,
};

/** The error code by which the server asks for a second factor. */
const insufficientAal = 'insufficient_aal';

/** `search` is the query string of the current address. */
export async function fetchAccess(
  manager: SessionManager,
  { user, aal }: Session,
  search: string,
): Promise<Access> {
  const hasFactor = (user.factors ?? []).some(({ status }) => status === 'verified');
  if (hasFactor && aal !== 'aal2') return { level: 'factor' };
  try {
    const query = listQuery(parseDeskUrl(search));
    const page = await manager.withToken(listRequests, query);
    const level = page.role === 'admin' ? 'admin' : 'dispatcher';
    return { level, firstPage: { query, page, at: Date.now() } };
  } catch (error) {
    return { level: levelOfError(error, hasFactor) };
  }
}

function levelOfError(error: unknown, hasFactor: boolean): AccessLevel {
  if (!(error instanceof ApiError)) return 'unreachable';
  if (hasErrorCode(error, insufficientAal)) return hasFactor ? 'factor' : 'enroll';
  if (error.status === 403) return 'member';
  return error.code === 'session_missing' ? 'unknown' : 'unreachable';
}
