// Completes an auth callback: a session with its event, a notice, and a view to open.

import { ApiError } from '../../api/admin-client';
import type { Session } from '../../api/auth';
import * as auth from '../../api/auth';
import { getItem, setItem } from '../../safe-storage';
import type { Notice } from '../ui/auth-card';
import { removeItem } from '../ui/kept';
import type { SessionEvent } from './browser-environment';
import { retry } from './session-errors';

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

const name = 'sso-verifier';

/**
 * The PKCE code verifier (RFC 7636) of a provider sign-in. Stored in this tab while the browser is
 * at the provider, and removed when that flow ends. Without session storage the exchange fails.
 */
export const saveVerifier = (verifier: string) => setItem('sessionStorage', name, verifier);

/** Returns the verifier (empty if there is none) and removes it: it is valid for one exchange. */
function takeVerifier(): string {
  const verifier = getItem('sessionStorage', name) ?? '';
  clearVerifier();
  return verifier;
}

export const clearVerifier = () => removeItem('sessionStorage', name);

// Parses the URL that an email link or an identity provider leads back to: a session, an error or a
// message in the fragment, or a code in the query. Read once, then removed from the address bar and
// the history.

/** Age in seconds at which a session in a URL causes a warning (specification section 9). */
const maxAge = 120;

export type AuthCallback =
  | { kind: 'session'; session: Omit<Session, 'user'>; type: string }
  | { kind: 'code'; code: string }
  | { kind: 'error'; code: string; message: string }
  | { kind: 'message'; message: string };

/** Parses a URL; `undefined` if it is not a callback. */
export function parseCallback(url: URL, now: number): AuthCallback | undefined {
  const fragment = new URLSearchParams(url.hash.slice(1));
  const param = (name: string) => fragment.get(name) ?? url.searchParams.get(name) ?? '';
  const access_token = fragment.get('access_token');
  const refresh_token = fragment.get('refresh_token');
  if (access_token && refresh_token) {
    return {
      kind: 'session',
      session: { access_token, refresh_token, token_type: 'bearer', aal: 'aal1', ...lifetime(fragment, now) },
      type: fragment.get('type') ?? '',
    };
  }
  if (param('error') || param('error_code')) {
    const message = param('error_description') || 'This link did not work.';
    return { kind: 'error', code: param('error_code'), message };
  }
  if (fragment.get('message')) return { kind: 'message', message: fragment.get('message') ?? '' };
  const code = url.searchParams.get('code');
  return code ? { kind: 'code', code } : undefined;
}

/** Path and query of the URL without the callback's parameters. */
export function stripCallback(url: URL): string {
  const query = new URLSearchParams(url.search);
  for (const name of ['code', 'error', 'error_code', 'error_description']) query.delete(name);
  const rest = query.toString();
  return url.pathname + (rest ? `?${rest}` : '');
}

function lifetime(fragment: URLSearchParams, now: number) {
  const expires_in = Number(fragment.get('expires_in')) || 3600;
  const expires_at = Number(fragment.get('expires_at')) || Math.floor(now / 1000) + expires_in;
  const age = Math.floor(now / 1000) - (expires_at - expires_in);
  if (age >= maxAge)
    console.warn(`The session in the address is ${age} seconds old. Was the link opened late?`);
  if (age < 0) console.warn('The session in the address is from the future. Is this clock right?');
  return { expires_in, expires_at };
}
