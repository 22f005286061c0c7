// The session manager: restores the stored session, renews it before it expires, keeps all tabs in
// sync and notifies subscribers. It knows nothing about views or roles. Storage, time and tabs are
// passed in as the environment; browser-environment.ts is the real one.
import { ApiError } from '../../api/admin-client';
import type { Session, User } from '../../api/auth';
import type {
  SessionEnvironment,
  SessionEvent,
  SessionListener,
  SignOutScope,
  TabMessage,
} from './browser-environment';
import { endsSession, isInvalidToken, retry } from './session-errors';

export type SessionManager = ReturnType<typeof createSessionManager>;

/**
 * Milliseconds between two checks, and the remaining seconds at which a session is renewed (spec
 * section 9).
 */
const checkInterval = 30_000;
const renewalMargin = 90;

/** Milliseconds to wait after a failed renewal before the next automatic one. */
const renewalPause = 60_000;

export function createSessionManager(environment: SessionEnvironment) {
  const { storage, now } = environment;
  const listeners = new Set<SessionListener>();
  let session: Session | null = null;
  let renewing: Promise<Session | null> | undefined;
  let nextRenewalAt = 0;
  /** The number of changes of and requests for the user. */
  let userChanges = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  /**
   * Restores the stored session, or takes the one of an auth callback, and then emits
   * `INITIAL_SESSION`.
   */
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

  /** Checks the session now and every 30 s while the page is visible; stops while it is hidden. */
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

  /** Takes over the session that another tab has stored. Returns whether it differs from ours. */
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

  /**
   * Renews the session. One renewal runs at a time across all tabs; none if another tab has just
   * renewed it.
   */
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
      // Another tab signed out or in while the request was under way: its session wins.
      if (storage.read()?.refresh_token !== from.refresh_token) syncFromStorage();
      else setSession(next, 'TOKEN_REFRESHED');
      return session;
    } catch (error) {
      if (!endsSession(error)) {
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

  /** Stores a session that the service has just issued, and broadcasts `event`. */
  function setSession(fresh: Session, event: SessionEvent) {
    save({ ...fresh, ...localExpiry(fresh) });
    nextRenewalAt = 0;
    broadcast(event);
  }

  /** The expiry by this computer's clock, so that a wrong clock does not sign the user out. */
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

  /**
   * Returns a valid access token. One about to expire is renewed in the background, an expired one
   * first.
   */
  async function validToken(): Promise<string> {
    if (session && secondsLeft() <= renewalMargin) {
      const renewed = now() >= nextRenewalAt || secondsLeft() <= 0 ? renew() : undefined;
      if (secondsLeft() <= 0) await renewed;
      else renewed?.catch(() => {});
    }
    if (!session) throw new ApiError(400, 'session_missing', 'Auth session missing!');
    return session.access_token;
  }

  /**
   * Makes a call of the API as the signed-in user, with these arguments after the token. If its
   * token is rejected, renews it and repeats the call once.
   */
  async function withToken<A extends unknown[], T>(
    call: (token: string, ...args: A) => Promise<T>,
    ...args: A
  ): Promise<T> {
    const used = await validToken();
    try {
      return await call(used, ...args);
    } catch (error) {
      if (!isInvalidToken(error)) throw error;
      if (session?.access_token === used) await renew();
      return call(await validToken(), ...args);
    }
  }

  /** Stores the signed-in user, who has changed, and broadcasts `USER_UPDATED`. */
  function updateUser(user: User) {
    userChanges += 1;
    syncFromStorage();
    if (session?.user.id !== user.id) return;
    save({ ...session, user });
    broadcast('USER_UPDATED');
  }

  /**
   * Requests the current user from the service and stores the answer; drops it if it is late: after
   * a change of the user, a later request, or a sign-in as another user.
   */
  async function reloadUser(read: (token: string) => Promise<User>) {
    userChanges += 1;
    const change = userChanges;
    const user = await withToken(read);
    if (change === userChanges) updateUser(user);
  }

  /**
   * Ends sessions. `local` clears this browser at once, even offline. `global` clears it only after
   * the service has ended all sessions, so that the user does not assume they ended when they did
   * not.
   * @throws ApiError if `global` or `others` failed.
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
      await withToken(environment.signOut, scope);
    } catch (error) {
      const gone = error instanceof ApiError && [400, 401, 403, 404].includes(error.status);
      if (!gone || (scope === 'others' && session)) throw error;
    }
    if (scope === 'global' && session) clear();
  }

  /** Notifies the subscribers in this tab and in the others. */
  function broadcast(event: SessionEvent) {
    emit(event);
    environment.tabs.post({ event, session });
  }

  function emit(event: SessionEvent) {
    for (const listener of listeners) listener(event, session);
  }

  /** Subscribes a listener; the returned function unsubscribes it. */
  function subscribe(listener: SessionListener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    start,
    subscribe,
    setSession,
    renew,
    withToken,
    updateUser,
    reloadUser,
    signOut,
    current: () => session,
  };
}
