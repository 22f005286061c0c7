// Stores the session as one JSON string in local storage. If storage is not available (private
// windows, policies), it lives in memory for this page only.
import type { Session } from '../../api/auth';

/** The name of the storage item, of the broadcast channel and of the lock. */
export const storageKey = 'guardpost.session';

export type StringStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export type SessionStorage = {
  read(): Session | null;
  write(session: Session | null): void;
};

/** The session stored in `strings`. A value that is not a session counts as none. */
export function createSessionStorage(strings: StringStorage | undefined): SessionStorage {
  let memory: Session | null = null;
  let unavailable = strings === undefined;

  return {
    read() {
      if (unavailable) return memory;
      try {
        return parse(strings?.getItem(storageKey) ?? null);
      } catch {
        return memory;
      }
    },
    write(session) {
      memory = session;
      try {
        if (session) strings?.setItem(storageKey, JSON.stringify(session));
        else strings?.removeItem(storageKey);
      } catch {
        unavailable = true;
      }
    },
  };
}

function parse(text: string | null): Session | null {
  if (text === null) return null;
  try {
    const session = JSON.parse(text);
    return isSession(session) ? session : null;
  } catch {
    return null;
  }
}

function isSession(it: Partial<Session> | null): it is Session {
  return (
    typeof it?.access_token === 'string' &&
    typeof it.refresh_token === 'string' &&
    typeof it.expires_at === 'number' &&
    typeof it.user?.id === 'string'
  );
}
