// Completes an auth callback: a session with its event, a notice, and a view to open.

import { ApiError } from '../../api/admin-client';
import type { Session } from '../../api/auth';
import * as auth from '../../api/auth';
import type { Notice } from '../ui/auth-card';
import type { AuthCallback } from './parse-callback';
import { takeVerifier } from './pkce-verifier';
import { retry } from './retry';
import type { SessionEvent } from './session-environment';

export type CallbackResult = {
  signedIn?: { session: Session; event: SessionEvent };
  notice?: Notice;
  view?: 'new-password' | 'welcome';
  /** The same callback may be completed later: its link is used, but its session is valid. */
  isUnfinished?: boolean;
};

/**
 * Completes a callback. Never throws: a failure becomes a notice. A visit without a code means that
 * the user gave up the sign-in at the provider, so the PKCE verifier is removed in every case.
 */
export async function completeCallback(callback: AuthCallback | undefined): Promise<CallbackResult> {
  const verifier = takeVerifier();
  try {
    switch (callback?.kind) {
      case 'session': {
        const { access_token } = callback.session;
        const user = await retry(() => auth.currentUser(access_token), Date.now);
        return resultOf({ ...callback.session, user }, callback.type);
      }
      case 'code': {
        return resultOf(await auth.exchangeCode(callback.code, verifier), '');
      }
      case 'error':
        return { notice: { kind: 'error', text: explain(callback.code, callback.message) } };
      case 'message':
        return { notice: { kind: 'message', text: callback.message } };
      default:
        return {};
    }
  } catch (error) {
    if (callback?.kind === 'session' && error instanceof ApiError && error.transient)
      return { notice: { kind: 'error', text: notCompleted }, isUnfinished: true };
    const text = error instanceof ApiError ? explain(error.code, error.message) : 'This link did not work.';
    return { notice: { kind: 'error', text } };
  }
}

const notCompleted =
  'We could not be reached, so you are not signed in yet. Your link is kept: reload this page to try again.';

function resultOf(session: Session, type: string): CallbackResult {
  if (type === 'recovery') return { signedIn: { session, event: 'PASSWORD_RECOVERY' }, view: 'new-password' };
  const signedIn = { session, event: 'SIGNED_IN' as const };
  if (type === 'invite') return { signedIn, view: 'welcome' };
  if (type === 'email_change')
    return { signedIn, notice: { kind: 'message', text: 'Your email address is changed.' } };
  return { signedIn };
}

function explain(code: string, message: string): string {
  switch (code) {
    case 'otp_expired':
      return 'This link has been used or has expired. Ask for a new one.';
    case 'unreachable':
      return 'We could not be reached, so you are not signed in. Sign in again when you are online.';
    default:
      return message;
  }
}
