// What an address that somebody arrived with leads to: a session and its event, a text to show, a view to open.

import type { Session } from '../../api/auth';
import * as auth from '../../api/auth';
import { Refusal } from '../../api/call';
import type { SessionEvent } from './keeper';
import type { Landing } from './landing';
import { takeVerifier } from './verifier';

/** A text over the form: an `error` asks for something, a `message` only tells. */
export type Notice = { kind: 'error' | 'message'; text: string };

export type Arrival = {
  landed?: { session: Session; event: SessionEvent };
  notice?: Notice;
  view?: 'new-password' | 'welcome';
};

/**
 * Follows a landing to its end. Never throws: what went wrong is a notice. Whoever arrives without a code has given up
 * the way through a provider, so its secret goes in any case.
 */
export async function arrive(landing: Landing | undefined): Promise<Arrival> {
  const verifier = takeVerifier();
  try {
    switch (landing?.kind) {
      case 'session': {
        const user = await auth.currentUser(landing.session.access_token);
        return opened({ ...landing.session, user }, landing.type);
      }
      case 'code': {
        return opened(await auth.exchangeCode(landing.code, verifier), '');
      }
      case 'error':
        return { notice: { kind: 'error', text: explained(landing.code, landing.message) } };
      case 'message':
        return { notice: { kind: 'message', text: landing.message } };
      default:
        return {};
    }
  } catch (error) {
    const text = error instanceof Refusal ? explained(error.code, error.message) : 'This link did not work.';
    return { notice: { kind: 'error', text } };
  }
}

function opened(session: Session, type: string): Arrival {
  if (type === 'recovery') return { landed: { session, event: 'PASSWORD_RECOVERY' }, view: 'new-password' };
  const landed = { session, event: 'SIGNED_IN' as const };
  if (type === 'invite') return { landed, view: 'welcome' };
  if (type === 'email_change')
    return { landed, notice: { kind: 'message', text: 'Your e-mail address is changed.' } };
  return { landed };
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
