// The loading spinner, and the view when the server cannot be reached.

import { useEffect, useState } from 'react';
import { Button, ButtonLink } from '../../ui/button';
import { EnrollFactor } from '../account/enroll-factor';
import { useAuth } from '../session/provider';
import { AuthCard } from '../ui/auth-card';

/** Milliseconds after which the delay is explained. */
const slow = 3000;

export function Loading() {
  const [text, setText] = useState('Loading');
  useEffect(() => {
    const timer = setTimeout(() => {
      setText(
        navigator.onLine ? 'The server is slow to answer. Still trying.' : 'You are offline. Still trying.',
      );
    }, slow);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main id="main" className="admin auth">
      <div className="opening" role="status">
        <span className="spinner" aria-hidden="true" />
        <span className={text === 'Loading' ? 'visually-hidden' : undefined}>{text}</span>
      </div>
      <noscript>
        <p>The dashboard needs JavaScript. The public pages and both forms work without it.</p>
      </noscript>
    </main>
  );
}

export function Unreachable() {
  const { recheckAccess, signOut } = useAuth();
  useEffect(() => {
    addEventListener('online', recheckAccess);
    return () => removeEventListener('online', recheckAccess);
  }, [recheckAccess]);
  return (
    <AuthCard title="We cannot be reached">
      <p>You are still signed in, but the server does not answer. Check your connection, then try again.</p>
      <div className="actions">
        <Button onClick={recheckAccess}>Try again</Button>
        <Button look="quiet" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </AuthCard>
  );
}

/** Signed in, but not admin (specification section 2). */
export function AccessDenied() {
  const { user, signOut } = useAuth();
  return (
    <AuthCard title="Access Denied">
      <p>You don't have admin privileges to access this page</p>
      <p className="muted">{`You are signed in as ${user?.email}.`}</p>
      <div className="actions">
        <ButtonLink href="/">Return to Home</ButtonLink>
        <Button look="line" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </AuthCard>
  );
}

/** Shown when the company requires a second factor and this admin has none yet. */
export function RequireEnrollment() {
  const { signOut, recheckAccess } = useAuth();
  return (
    <AuthCard title="Set up a second factor">
      <p>Every admin here signs in with a password and a code. Set up the code once, then go on.</p>
      <EnrollFactor done={recheckAccess} />
      <div className="actions">
        <Button look="quiet" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </AuthCard>
  );
}
