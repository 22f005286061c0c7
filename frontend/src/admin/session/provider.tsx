// Gives the admin's components the session: user, session, isLoading, isAdmin (specification section 3), what the user
// may do, and the keeper to act with. One keeper serves the document, however often the page is opened and left.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import type { Session, User } from '../../api/auth';
import { toast } from '../../ui/toast';
import { arrive, type Notice } from './arrival';
import { browser } from './browser';
import { createKeeper, type Keeper } from './keeper';
import { readLanding, withoutLanding } from './landing';
import { loadFailed, type Standing, standingOf } from './standing';

type Auth = {
  user: User | null;
  session: Session | null;
  /** True until the first session is known. */
  isLoading: boolean;
  isAdmin: boolean;
  standing: Standing;
  /** What to say over the sign-in form or the desk. */
  notice: Notice | undefined;
  setNotice(notice: Notice | undefined): void;
  keeper: Keeper;
  /** Recovery codes that were just made: shown in the place of everything else until they are kept. */
  codes: string[] | undefined;
  showCodes(codes: string[] | undefined): void;
  /** Asks the server again what the user may do. */
  check(): void;
  /** Ends this session and returns to the home page. */
  leave(): void;
};

const Context = createContext<Auth | null>(null);

/** The session and what comes with it. */
export function useAuth(): Auth {
  const auth = useContext(Context);
  if (!auth) throw new Error('useAuth is for the components under SessionProvider');
  return auth;
}

/** The session of somebody who is signed in. */
export function useSession(): Session {
  const { session } = useAuth();
  if (!session) throw new Error('useSession is for the views that are shown to somebody who is signed in');
  return session;
}

let opened: { keeper: Keeper; ready: Promise<Notice | undefined> } | undefined;

/** Makes the keeper and reads the address, once a document. */
function open() {
  const keeper = createKeeper(browser());
  const url = new URL(location.href);
  const landing = readLanding(url, Date.now());
  if (landing) navigate(withoutLanding(url), { replace: true });
  const ready = arrive(landing).then(async ({ landed, view, notice }) => {
    if (view) navigate(`/admin?view=${view}`, { replace: true });
    await keeper.start(landed);
    return notice;
  });
  return { keeper, ready };
}

export function SessionProvider({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const [keeper, setKeeper] = useState<Keeper>();
  const [known, setKnown] = useState<{ session: Session | null }>();
  const [notice, setNotice] = useState<Notice>();
  const [codes, showCodes] = useState<string[]>();
  const [leaving, setLeaving] = useState(false);
  const [path] = useLocation();

  useEffect(() => {
    opened ??= open();
    const { keeper, ready } = opened;
    setKeeper(keeper);
    ready.then((notice) => {
      setKnown({ session: keeper.current() });
      setNotice((said) => notice ?? said);
    });
    return keeper.listen((event, session) => {
      if (event === 'INITIAL_SESSION') return;
      setKnown((before) => before && { session });
      if (event === 'SIGNED_OUT')
        setNotice({ kind: 'message', text: 'You have been signed out. Sign in again.' });
      else if (event === 'SIGNED_IN') setNotice(undefined);
    });
  }, []);

  const [standing, check] = useStanding(keeper, known?.session ?? null);
  // The home page may still be on its way; nobody who signs out is shown the sign-in form meanwhile.
  if (!keeper || (leaving && path !== '/admin')) return <>{waiting}</>;

  const session = known?.session ?? null;
  const leave = () => {
    setLeaving(true);
    keeper.signOut('local');
    setNotice(undefined);
    toast({ title: 'Signed out' });
    navigate('/');
  };
  const value: Auth = {
    user: session?.user ?? null,
    session,
    isLoading: !known,
    isAdmin: standing === 'admin',
    standing,
    notice,
    setNotice,
    keeper,
    codes,
    showCodes,
    check,
    leave,
  };
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

/**
 * The standing of the session's user; `unknown` until it was asked for this user. While it is asked again (another level,
 * or a call was refused) the last answer stands, so that no form is taken away under somebody's hands.
 */
function useStanding(keeper: Keeper | undefined, session: Session | null): [Standing, () => void] {
  const [found, setFound] = useState<{ user: string; is: Standing }>();
  const [asked, setAsked] = useState(0);
  const user = session?.user.id;
  const question = `${user} ${session?.aal} ${asked}`;

  // A renewed session of the same user and level is no reason to ask again.
  useEffect(() => {
    if (!keeper || !session) return;
    let wanted = true;
    standingOf(keeper, session).then((is) => {
      if (!wanted) return;
      if (is === 'unreachable') toast(loadFailed);
      setFound({ user: session.user.id, is });
    });
    return () => {
      wanted = false;
    };
  }, [keeper, question]);

  const check = useCallback(() => setAsked((count) => count + 1), []);
  return [found && found.user === user ? found.is : 'unknown', check];
}
