// The session manager's environment in a real browser: local storage, a broadcast channel and a
// lock shared by the tabs, and the page's visibility.
import * as auth from '../../api/auth';
import { serverNow } from '../../api/server-clock';
import type { SessionEnvironment, TabMessage } from './session-environment';
import { createSessionStorage, storageKey } from './session-storage';

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
