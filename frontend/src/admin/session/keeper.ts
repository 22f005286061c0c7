// The keeper of the session: restores it, renews it in time, agrees with the other tabs, and tells whoever listens what
// happened. It knows nothing about screens or roles. The outside (storage, time, tabs) is passed in; see browser.ts.
import type { Session, User } from '../../api/auth';
import { Refusal } from '../../api/call';
import { persist } from './persist';
import type { Stored } from './stored';

export type SessionEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'USER_UPDATED'
  | 'PASSWORD_RECOVERY'
  | 'MFA_CHALLENGE_VERIFIED';

/** What one tab tells the others. */
export type Told = { event: SessionEvent; session: Session | null };

/** The world around the keeper. Times in milliseconds. */
export type Outside = {
  stored: Stored;
  now(): number;
  visible(): boolean;
  /** Calls back when the page is shown or hidden, and when the network has come back. */
  watch(changed: (what: 'visibility' | 'online') => void): void;
  /** Runs one job at a time among all tabs. */
  alone<T>(job: () => Promise<T>): Promise<T>;
  tabs: { tell(told: Told): void; listen(heard: (told: Told) => void): void };
  refresh(refreshToken: string): Promise<Session>;
  signOut(token: string, scope: Scope): Promise<void>;
};

export type Scope = 'local' | 'others' | 'global';

export type Listener = (event: SessionEvent, session: Session | null) => void;

export type Keeper = ReturnType<typeof createKeeper>;

/** Milliseconds between looks at the session, and the seconds left at which it is renewed (specification section 9). */
const tick = 30_000;
const margin = 90;

/** Milliseconds before a failed renewal is begun again by itself. */
const rest = 60_000;

/** Codes by which the service says that a refresh token will never be good again. Anything else keeps it. */
const final = new Set([
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_expired',
  'session_not_found',
  'user_banned',
  'user_not_found',
  'validation_failed',
]);

/** Codes by which a call says that its access token is worth nothing. */
const dead = new Set(['bad_jwt', 'session_not_found', 'user_not_found', 'user_banned', 'no_authorization']);

export function createKeeper(outside: Outside) {
  const { stored, now } = outside;
  const listeners = new Set<Listener>();
  let session: Session | null = null;
  let renewing: Promise<Session | null> | undefined;
  let restUntil = 0;
  let ticking: ReturnType<typeof setInterval> | undefined;

  /** Restores what is stored, or takes what the address brought. Everybody is told once it is known. */
  async function start(landed?: { session: Session; event: SessionEvent }) {
    outside.tabs.listen(hear);
    if (landed) {
      accept(landed.session, landed.event);
    } else {
      session = stored.read();
      if (session && secondsLeft() <= 0) await renew().catch(() => {});
      else if (session) emit('SIGNED_IN');
    }
    emit('INITIAL_SESSION');
    outside.watch((what) => {
      if (what === 'online') restUntil = 0;
      keepTime();
    });
    keepTime();
  }

  /** Looks at the session now and every 30 s while the page is visible; not at all while it is hidden. */
  function keepTime() {
    clearInterval(ticking);
    if (!outside.visible()) return;
    ticking = setInterval(look, tick);
    look();
  }

  function look() {
    agree();
    if (session && secondsLeft() <= margin && now() >= restUntil) renew().catch(() => {});
  }

  /** Takes over what another tab has stored meanwhile. Says whether that changed anything. */
  function agree(): boolean {
    const kept = stored.read();
    if (kept?.refresh_token === session?.refresh_token && kept?.access_token === session?.access_token)
      return false;
    const event = !kept ? 'SIGNED_OUT' : kept.user.id === session?.user.id ? 'TOKEN_REFRESHED' : 'SIGNED_IN';
    session = kept;
    emit(event);
    return true;
  }

  function hear({ event, session: theirs }: Told) {
    session = theirs;
    emit(event);
  }

  /** Renews the session; one renewal at a time among all tabs, and none where another tab has just done it. */
  function renew(): Promise<Session | null> {
    const from = session?.refresh_token;
    renewing ??= outside
      .alone(() => {
        agree();
        return session && session.refresh_token === from ? exchange(session) : Promise.resolve(session);
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  }

  async function exchange(from: Session): Promise<Session | null> {
    try {
      const next = await persist(() => outside.refresh(from.refresh_token), now);
      // Somebody signed out, or in as another, while the answer travelled: theirs stands.
      if (stored.read()?.refresh_token !== from.refresh_token) agree();
      else accept(next, 'TOKEN_REFRESHED');
      return session;
    } catch (error) {
      if (!(error instanceof Refusal && final.has(error.code))) {
        restUntil = now() + rest;
        throw error;
      }
      if (stored.read()?.refresh_token !== from.refresh_token) agree();
      else drop();
      return session;
    }
  }

  function secondsLeft(): number {
    return session ? session.expires_at - now() / 1000 : 0;
  }

  /** Keeps a session that the service has just given out. */
  function accept(fresh: Session, event: SessionEvent) {
    keep({ ...fresh, ...agedHere(fresh) });
    restUntil = 0;
    say(event);
  }

  /** When it ends by this computer's clock: a clock that is wrong must not sign anybody out. */
  function agedHere({ expires_in }: Session) {
    return { expires_at: Math.floor(now() / 1000) + expires_in };
  }

  function keep(next: Session | null) {
    session = next;
    stored.write(next);
  }

  function drop() {
    keep(null);
    say('SIGNED_OUT');
  }

  /** An access token that is still good. One about to end is renewed beside the call; one that has ended, before it. */
  async function token(): Promise<string> {
    if (session && secondsLeft() <= margin) {
      const renewed = now() >= restUntil || secondsLeft() <= 0 ? renew() : undefined;
      if (secondsLeft() <= 0) await renewed;
      else renewed?.catch(() => {});
    }
    if (!session) throw new Refusal(400, 'session_missing', 'Auth session missing!');
    return session.access_token;
  }

  /** Makes a call as the signed-in user. Where its token is refused, it is renewed and the call made once more. */
  async function authorised<T>(make: (token: string) => Promise<T>): Promise<T> {
    const used = await token();
    try {
      return await make(used);
    } catch (error) {
      if (!isDead(error)) throw error;
      if (session?.access_token === used) await renew();
      return make(await token());
    }
  }

  /** The user has changed: keeps and tells it. */
  function updateUser(user: User) {
    if (!session) return;
    keep({ ...session, user });
    say('USER_UPDATED');
  }

  /**
   * Ends sessions. `local` is gone from here at once, whatever the network does; `global` only when the service has
   * done it, so that nobody believes the others ended while they live on.
   * @throws Refusal where `global` or `others` could not be done.
   */
  async function signOut(scope: Scope = 'local') {
    const leaving = session;
    if (!leaving) return;
    if (scope === 'local') {
      drop();
      await outside.signOut(leaving.access_token, scope).catch(() => {});
      return;
    }
    try {
      await authorised((token) => outside.signOut(token, scope));
    } catch (error) {
      const gone = error instanceof Refusal && [400, 401, 403, 404].includes(error.status);
      if (!gone || (scope === 'others' && session)) throw error;
    }
    if (scope === 'global' && session) drop();
  }

  /** Tells the listeners here and in the other tabs. */
  function say(event: SessionEvent) {
    emit(event);
    outside.tabs.tell({ event, session });
  }

  function emit(event: SessionEvent) {
    for (const listener of listeners) listener(event, session);
  }

  /** Listens; the answer stops it. */
  function listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { start, listen, accept, renew, authorised, updateUser, signOut, current: () => session };
}

function isDead(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  if (error.code === 'insufficient_aal') return false;
  return error.status === 401 || (error.status === 403 && dead.has(error.code));
}
