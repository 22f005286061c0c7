// What an address that somebody arrived with leads to: a session and its event, a text to show, a view to open.

import { ApiError } from '../../api/admin-client';
import type { Session } from '../../api/auth';
import * as auth from '../../api/auth';
import type { AuthCallback } from './parse-callback';
import { takeVerifier } from './pkce-verifier';
import type { SessionEvent } from './session-manager';

/** A text over the form: an `error` asks for something, a `message` only tells. */
export type Notice = { kind: 'error' | 'message'; text: string };

export type CallbackResult = {
  signedIn?: { session: Session; event: SessionEvent };
  notice?: Notice;
  view?: 'new-password' | 'welcome';
};

/**
 * Follows a callback to its end. Never throws: what went wrong is a notice. Whoever arrives without a code has given up
 * the way through a provider, so its secret goes in any case.
 */
export async function completeCallback(callback: AuthCallback | undefined): Promise<CallbackResult> {
  const verifier = takeVerifier();
  try {
    switch (callback?.kind) {
      case 'session': {
        const user = await auth.currentUser(callback.session.access_token);
        return opened({ ...callback.session, user }, callback.type);
      }
      case 'code': {
        return opened(await auth.exchangeCode(callback.code, verifier), '');
      }
      case 'error':
        return { notice: { kind: 'error', text: explained(callback.code, callback.message) } };
      case 'message':
        return { notice: { kind: 'message', text: callback.message } };
      default:
        return {};
    }
  } catch (error) {
    const text = error instanceof ApiError ? explained(error.code, error.message) : 'This link did not work.';
    return { notice: { kind: 'error', text } };
  }
}

function opened(session: Session, type: string): CallbackResult {
  if (type === 'recovery') return { signedIn: { session, event: 'PASSWORD_RECOVERY' }, view: 'new-password' };
  const signedIn = { session, event: 'SIGNED_IN' as const };
  if (type === 'invite') return { signedIn, view: 'welcome' };
  if (type === 'email_change')
    return { signedIn, notice: { kind: 'message', text: 'Your e-mail address is changed.' } };
  return { signedIn };
}

function explained(code: string, message: string): string {
  switch (code) {
    case 'otp_expired':
      return 'This link has been used or has expired. Ask for a new one.';
    case 'unreachable':
      return 'We could not be reached, so the link was not checked. Open it again when you are online.';
    default:
      return message;
  }
}
