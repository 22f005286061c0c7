// The keeper's outside in a real browser: local storage, a channel and a lock among the tabs, the page's visibility.
import * as auth from '../../api/auth';
import type { Outside, Told } from './keeper';
import { key, stored } from './stored';

/** Milliseconds a tab waits for another one's renewal; after that the service's own rules for races decide. */
const patience = 35_000;

export function browser(): Outside {
  return {
    stored: stored(localStrings()),
    now: () => Date.now(),
    visible: () => document.visibilityState === 'visible',
    watch(changed) {
      document.addEventListener('visibilitychange', () => changed('visibility'));
      addEventListener('online', () => changed('online'));
      addEventListener('pageshow', (event) => event.persisted && changed('visibility'));
    },
    alone,
    tabs: tabs(),
    refresh: auth.refresh,
    signOut: auth.signOut,
  };
}

function localStrings(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

async function alone<T>(job: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return job();
  let begun = false;
  try {
    return await navigator.locks.request(key, { signal: AbortSignal.timeout(patience) }, () => {
      begun = true;
      return job();
    });
  } catch (error) {
    if (begun) throw error;
    return job();
  }
}

function tabs(): Outside['tabs'] {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, listen: () => {} };
  const channel = new BroadcastChannel(key);
  return {
    tell: (told) => channel.postMessage(told),
    listen: (heard) => {
      channel.onmessage = (message: MessageEvent<Told>) => heard(message.data);
    },
  };
}
