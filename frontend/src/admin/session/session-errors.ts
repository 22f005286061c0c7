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
