// The session manager's environment in a real browser: local storage, a broadcast channel and a
// lock shared by the tabs, and the page's visibility.

import type { Session } from '../../api/auth';
import * as auth from '../../api/auth';
import { serverNow } from '../../api/server-clock';
import { createSessionStorage, type SessionStorage, storageKey } from './session-storage';

/** Milliseconds a tab waits for another tab's renewal. After that the service resolves the race. */
const lockTimeout = 35_000;

export function browserEnvironment(): SessionEnvironment {
  return {
    storage: createSessionStorage(browserStorage()),
    now: serverNow,
    visible: () => document.visibilityState === 'visible',
    onPageChange(changed) {
      document.addEventListener('visibilitychange', () => changed('visibility'));
      addEventListener('online', () => changed('online'));
      addEventListener('pageshow', (event) => event.persisted && changed('visibility'));
    },
    withLock,
    tabs: tabs(),
    refresh: auth.refresh,
    signOut: auth.signOut,
  };
}

function browserStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

async function withLock<T>(job: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return job();
  let started = false;
  try {
    return await navigator.locks.request(storageKey, { signal: AbortSignal.timeout(lockTimeout) }, () => {
      started = true;
      return job();
    });
  } catch (error) {
    if (started) throw error;
    return job();
  }
}

function tabs(): SessionEnvironment['tabs'] {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, subscribe: () => {} };
  const channel = new BroadcastChannel(storageKey);
  return {
    post: (message) => channel.postMessage(message),
    subscribe: (listener) => {
      channel.onmessage = (message: MessageEvent<TabMessage>) => listener(message.data);
    },
  };
}

// The environment of the session manager, and the events that it emits.

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
