// The manager of the session: restores it, renews it in time, agrees with the other tabs, and tells whoever listens what
// happened. It knows nothing about screens or roles. The environment (storage, time, tabs) is passed in; see browser.ts.

import { ApiError } from '../../api/admin-client';
import type { Session, User } from '../../api/auth';
import { retry } from './retry';
import type { SessionStorage } from './session-storage';

export type SessionEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'USER_UPDATED'
  | 'PASSWORD_RECOVERY'
  | 'MFA_CHALLENGE_VERIFIED';

/** What one tab tells the others. */
export type TabMessage = { event: SessionEvent; session: Session | null };

/** The world around the manager. Times in milliseconds. */
export type SessionEnvironment = {
  storage: SessionStorage;
  now(): number;
  visible(): boolean;
  /** Calls back when the page is shown or hidden, and when the network has come back. */
  onPageChange(changed: (what: 'visibility' | 'online') => void): void;
  /** Runs one job at a time among all tabs. */
  withLock<T>(job: () => Promise<T>): Promise<T>;
  tabs: { post(message: TabMessage): void; subscribe(listener: (message: TabMessage) => void): void };
  refresh(refreshToken: string): Promise<Session>;
  signOut(token: string, scope: SignOutScope): Promise<void>;
};

export type SignOutScope = 'local' | 'others' | 'global';

export type SessionListener = (event: SessionEvent, session: Session | null) => void;

export type SessionManager = ReturnType<typeof createSessionManager>;

/** Milliseconds between looks at the session, and the seconds left at which it is renewed (specification section 9). */
const checkInterval = 30_000;
const renewalMargin = 90;

/** Milliseconds before a failed renewal is started again by itself. */
const renewalPause = 60_000;

/** Codes by which the service says that a refresh token will never be good again. Anything else keeps it. */
const finalErrors = new Set([
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_expired',
  'session_not_found',
  'user_banned',
  'user_not_found',
  'validation_failed',
]);

/** Codes by which a call says that its access token is worth nothing. */
const invalidTokenErrors = new Set([
  'bad_jwt',
  'session_not_found',
  'user_not_found',
  'user_banned',
  'no_authorization',
]);

export function createSessionManager(environment: SessionEnvironment) {
  const { storage, now } = environment;
  const listeners = new Set<SessionListener>();
  let session: Session | null = null;
  let renewing: Promise<Session | null> | undefined;
  let nextRenewalAt = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  /** Restores what is storage, or takes what the address brought. Everybody is told once it is known. */
  async function start(callbackSession?: { session: Session; event: SessionEvent }) {
    environment.tabs.subscribe(handleTabMessage);
    if (callbackSession) {
      setSession(callbackSession.session, callbackSession.event);
    } else {
      session = storage.read();
      if (session && secondsLeft() <= 0) await renew().catch(() => {});
      else if (session) emit('SIGNED_IN');
    }
    emit('INITIAL_SESSION');
    environment.onPageChange((what) => {
      if (what === 'online') nextRenewalAt = 0;
      restartTimer();
    });
    restartTimer();
  }

  /** Looks at the session now and every 30 s while the page is visible; not at all while it is hidden. */
  function restartTimer() {
    clearInterval(timer);
    if (!environment.visible()) return;
    timer = setInterval(checkSession, checkInterval);
    checkSession();
  }

  function checkSession() {
    syncFromStorage();
    if (session && secondsLeft() <= renewalMargin && now() >= nextRenewalAt) renew().catch(() => {});
  }

  /** Takes over what another tab has stored meanwhile. Says whether that changed anything. */
  function syncFromStorage(): boolean {
    const persisted = storage.read();
    if (
      persisted?.refresh_token === session?.refresh_token &&
      persisted?.access_token === session?.access_token
    )
      return false;
    const event = !persisted
      ? 'SIGNED_OUT'
      : persisted.user.id === session?.user.id
        ? 'TOKEN_REFRESHED'
        : 'SIGNED_IN';
    session = persisted;
    emit(event);
    return true;
  }

  function handleTabMessage({ event, session: theirs }: TabMessage) {
    session = theirs;
    emit(event);
  }

  /** Renews the session; one renewal at a time among all tabs, and none where another tab has just done it. */
  function renew(): Promise<Session | null> {
    const from = session?.refresh_token;
    renewing ??= environment
      .withLock(() => {
        syncFromStorage();
        return session && session.refresh_token === from ? exchange(session) : Promise.resolve(session);
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  }

  async function exchange(from: Session): Promise<Session | null> {
    try {
      const next = await retry(() => environment.refresh(from.refresh_token), now);
      // Somebody signed out, or in as another, while the answer travelled: theirs stands.
      if (storage.read()?.refresh_token !== from.refresh_token) syncFromStorage();
      else setSession(next, 'TOKEN_REFRESHED');
      return session;
    } catch (error) {
      if (!(error instanceof ApiError && finalErrors.has(error.code))) {
        nextRenewalAt = now() + renewalPause;
        throw error;
      }
      if (storage.read()?.refresh_token !== from.refresh_token) syncFromStorage();
      else clear();
      return session;
    }
  }

  function secondsLeft(): number {
    return session ? session.expires_at - now() / 1000 : 0;
  }

  /** Keeps a session that the service has just given out. */
  function setSession(fresh: Session, event: SessionEvent) {
    save({ ...fresh, ...localExpiry(fresh) });
    nextRenewalAt = 0;
    broadcast(event);
  }

  /** When it ends by this computer's clock: a clock that is wrong must not sign anybody out. */
  function localExpiry({ expires_in }: Session) {
    return { expires_at: Math.floor(now() / 1000) + expires_in };
  }

  function save(next: Session | null) {
    session = next;
    storage.write(next);
  }

  function clear() {
    save(null);
    broadcast('SIGNED_OUT');
  }

  /** An access token that is still good. One about to end is renewed beside the call; one that has ended, before it. */
  async function validToken(): Promise<string> {
    if (session && secondsLeft() <= renewalMargin) {
      const renewed = now() >= nextRenewalAt || secondsLeft() <= 0 ? renew() : undefined;
      if (secondsLeft() <= 0) await renewed;
      else renewed?.catch(() => {});
    }
    if (!session) throw new ApiError(400, 'session_missing', 'Auth session missing!');
    return session.access_token;
  }

  /** Makes a call as the signed-in user. Where its token is refused, it is renewed and the call made once more. */
  async function withToken<T>(make: (token: string) => Promise<T>): Promise<T> {
    const used = await validToken();
    try {
      return await make(used);
    } catch (error) {
      if (!isInvalidToken(error)) throw error;
      if (session?.access_token === used) await renew();
      return make(await validToken());
    }
  }

  /** The user has changed: keeps and tells it. */
  function updateUser(user: User) {
    if (!session) return;
    save({ ...session, user });
    broadcast('USER_UPDATED');
  }

  /**
   * Ends sessions. `local` is gone from here at once, whatever the network does; `global` only when the service has
   * done it, so that nobody believes the others ended while they live on.
   * @throws ApiError where `global` or `others` could not be done.
   */
  async function signOut(scope: SignOutScope = 'local') {
    const leaving = session;
    if (!leaving) return;
    if (scope === 'local') {
      clear();
      await environment.signOut(leaving.access_token, scope).catch(() => {});
      return;
    }
    try {
      await withToken((token) => environment.signOut(token, scope));
    } catch (error) {
      const gone = error instanceof ApiError && [400, 401, 403, 404].includes(error.status);
      if (!gone || (scope === 'others' && session)) throw error;
    }
    if (scope === 'global' && session) clear();
  }

  /** Tells the listeners here and in the other tabs. */
  function broadcast(event: SessionEvent) {
    emit(event);
    environment.tabs.post({ event, session });
  }

  function emit(event: SessionEvent) {
    for (const listener of listeners) listener(event, session);
  }

  /** Listens; the answer stops it. */
  function subscribe(listener: SessionListener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { start, subscribe, setSession, renew, withToken, updateUser, signOut, current: () => session };
}

function isInvalidToken(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'insufficient_aal') return false;
  return error.status === 401 || (error.status === 403 && invalidTokenErrors.has(error.code));
}
