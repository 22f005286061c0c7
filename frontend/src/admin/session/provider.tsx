// Gives the admin's components the session: user, session, isLoading, isAdmin (specification
// section 3), the access level, and the session manager. One manager serves the document, however
// often the page is opened and left.
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { hasErrorCode } from '../../api/admin-client';
import type { Session, User } from '../../api/auth';
import type { InboxPage, InboxQuery } from '../../api/inbox';
import { toast } from '../../ui/toast';
import type { Notice } from '../ui/auth-card';
import { filledContext } from '../ui/filled-context';
import { keepFor } from '../ui/kept';
import { type AccessLevel, type FirstPage, fetchAccess, loadFailed } from './access-level';
import { completeCallback, parseCallback, stripCallback } from './auth-callback';
import { browserEnvironment } from './browser-environment';
import { createSessionManager, type SessionManager } from './session-manager';

/** `done` says whether the user has confirmed. */
type IdentityCheck = { done(confirmed: boolean): void };

type Auth = {
  user: User | null;
  session: Session | null;
  /** True until the first session is known. */
  isLoading: boolean;
  isAdmin: boolean;
  accessLevel: AccessLevel;
  /** The notice above the sign-in form or the dashboard. */
  notice: Notice | undefined;
  setNotice(notice: Notice | undefined): void;
  manager: SessionManager;
  /**
   * New recovery codes. They replace every other view until the user confirms having saved them.
   */
  recoveryCodes: string[] | undefined;
  showRecoveryCodes(recoveryCodes: string[] | undefined): void;
  /** Asks the server for the access level again. */
  recheckAccess(): void;
  /** The first page that the access check has just read, if it answers this query; once. */
  takeFirstPage(query: InboxQuery): InboxPage | undefined;
  /**
   * Makes a call that needs a recent sign-in: if the server asks for one, the user is asked, and
   * the call is repeated.
   */
  withRecentSignIn<T>(make: (token: string) => Promise<T>): Promise<T>;
  /** The user is being asked to confirm who they are. */
  identityCheck: IdentityCheck | undefined;
  /** Ends this session and returns to the home page. */
  signOut(): void;
};

/** The session and its data. */
const [Provider, useAuth] = filledContext<Auth>('SessionProvider');

export { useAuth };

/** The session, in views that only a signed-in user sees. */
export function useSession(): Session {
  const { session } = useAuth();
  if (!session) throw new Error('useSession needs a signed-in user');
  return session;
}

/** Milliseconds for which the first page of the access check is used instead of another read. */
const maxFirstPageAge = 2000;

let opened: { manager: SessionManager; ready: Promise<Notice | undefined> } | undefined;

/** Creates the session manager and completes the auth callback, once per document. */
function open() {
  const manager = createSessionManager(browserEnvironment());
  const url = new URL(location.href);
  const callback = parseCallback(url, Date.now());
  const clear = () => navigate(stripCallback(url), { replace: true });
  // The link of a session is used up: until the session is stored, a reload needs the address.
  if (callback && callback.kind !== 'session') clear();
  const ready = completeCallback(callback).then(async ({ signedIn, view, notice, isUnfinished }) => {
    if (view) navigate(`/admin?view=${view}`, { replace: true });
    else if (callback && !isUnfinished) clear();
    await manager.start(signedIn);
    return notice;
  });
  return { manager, ready };
}

export function SessionProvider({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const [manager, setManager] = useState<SessionManager>();
  const [known, setKnown] = useState<{ session: Session | null }>();
  const [notice, setNotice] = useState<Notice>();
  const [recoveryCodes, showRecoveryCodes] = useState<string[]>();
  const [leaving, setLeaving] = useState(false);
  const [path] = useLocation();

  useEffect(() => {
    opened ??= open();
    const { manager, ready } = opened;
    const know = (session: Session | null) => {
      if (session) keepFor(session.user.id);
      setKnown({ session });
    };
    let isReady = false;
    setManager(manager);
    ready.then((notice) => {
      isReady = true;
      know(manager.current());
      setNotice((said) => notice ?? said);
    });
    return manager.subscribe((event, session) => {
      if (event === 'INITIAL_SESSION') return;
      if (isReady) know(session);
      if (event === 'SIGNED_OUT')
        setNotice({ kind: 'message', text: 'You have been signed out. Sign in again.' });
      else if (event === 'SIGNED_IN') setNotice(undefined);
    });
  }, []);

  const { accessLevel, recheckAccess, takeFirstPage } = useAccess(manager, known?.session ?? null);
  const { withRecentSignIn, identityCheck } = useRecentSignIn(manager);
  // The home page may still be loading: do not show the sign-in form after a sign-out.
  if (!manager || (leaving && path !== '/admin')) return <>{waiting}</>;

  const session = known?.session ?? null;
  const signOut = () => {
    setLeaving(true);
    manager.signOut('local');
    setNotice(undefined);
    toast({ title: 'Signed out', detail: <a href="/admin">Sign in again</a> });
    navigate('/');
  };
  const value: Auth = {
    user: session?.user ?? null,
    session,
    isLoading: !known,
    isAdmin: accessLevel === 'admin',
    accessLevel,
    notice,
    setNotice,
    manager,
    recoveryCodes,
    showRecoveryCodes,
    recheckAccess,
    takeFirstPage,
    withRecentSignIn,
    identityCheck,
    signOut,
  };
  return <Provider value={value}>{children}</Provider>;
}

function useRecentSignIn(manager: SessionManager | undefined) {
  const [identityCheck, setIdentityCheck] = useState<IdentityCheck>();
  const withRecentSignIn = useCallback(
    async <T,>(make: (token: string) => Promise<T>): Promise<T> => {
      if (!manager) throw new Error('There is no session');
      try {
        return await manager.withToken(make);
      } catch (error) {
        if (!hasErrorCode(error, 'reauthentication_needed')) throw error;
        const confirmed = await new Promise<boolean>((done) => setIdentityCheck({ done }));
        setIdentityCheck(undefined);
        if (!confirmed) throw error;
        return manager.withToken(make);
      }
    },
    [manager],
  );
  return { withRecentSignIn, identityCheck };
}

/**
 * The access level of the session's user; `unknown` until the first answer for this user. During a
 * recheck the last answer stays, so that a form the user is filling in does not disappear.
 */
function useAccess(manager: SessionManager | undefined, session: Session | null) {
  const [found, setFound] = useState<{ user: string; is: AccessLevel }>();
  const [asked, setAsked] = useState(0);
  const firstPage = useRef<FirstPage>(undefined);
  const user = session?.user.id;
  const question = `${user} ${session?.aal} ${asked}`;

  // A renewed session with the same user and assurance level needs no new check.
  useEffect(() => {
    if (!manager || !session) return;
    let wanted = true;
    fetchAccess(manager, session, location.search).then((access) => {
      if (!wanted) return;
      if (access.level === 'unreachable') toast(loadFailed);
      firstPage.current = access.firstPage;
      setFound({ user: session.user.id, is: access.level });
    });
    return () => {
      wanted = false;
    };
  }, [manager, question]);

  const recheckAccess = useCallback(() => setAsked((count) => count + 1), []);
  const takeFirstPage = useCallback((query: InboxQuery) => {
    const { current } = firstPage;
    firstPage.current = undefined;
    const usable = current && Date.now() - current.at < maxFirstPageAge;
    return usable && JSON.stringify(current.query) === JSON.stringify(query) ? current.page : undefined;
  }, []);
  const accessLevel: AccessLevel = found && found.user === user ? found.is : 'unknown';
  return { accessLevel, recheckAccess, takeFirstPage };
}
