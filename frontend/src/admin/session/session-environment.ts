// The environment of the session manager, and the events that it emits.
import type { Session } from '../../api/auth';
import type { SessionStorage } from './session-storage';

export type SessionEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'USER_UPDATED'
  | 'PASSWORD_RECOVERY'
  | 'MFA_CHALLENGE_VERIFIED';

/** The message that one tab broadcasts to the others. */
export type TabMessage = { event: SessionEvent; session: Session | null };

/** The environment of the session manager. Times in milliseconds. */
export type SessionEnvironment = {
  storage: SessionStorage;
  now(): number;
  visible(): boolean;
  /** Calls `changed` when the page is shown or hidden, and when the browser is online again. */
  onPageChange(changed: (what: 'visibility' | 'online') => void): void;
  /** Runs one job at a time across all tabs. */
  withLock<T>(job: () => Promise<T>): Promise<T>;
  tabs: { post(message: TabMessage): void; subscribe(listener: (message: TabMessage) => void): void };
  refresh(refreshToken: string): Promise<Session>;
  signOut(token: string, scope: SignOutScope): Promise<void>;
};

export type SignOutScope = 'local' | 'others' | 'global';

export type SessionListener = (event: SessionEvent, session: Session | null) => void;
