// The states before anything is known: the spinner, and what to do when nobody answers.
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button';
import { useAuth } from '../session/provider';
import { DoorCard } from './card';

/** Milliseconds after which a wait is explained. */
const slow = 3000;

export function Waiting() {
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
    <main id="main" className="admin door">
      <div className="waiting" role="status">
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
  const { check, leave } = useAuth();
  useEffect(() => {
    addEventListener('online', check);
    return () => removeEventListener('online', check);
  }, [check]);
  return (
    <DoorCard title="We cannot be reached">
      <p>You are still signed in, but the server does not answer. Check your connection, then try again.</p>
      <div className="actions">
        <Button onClick={check}>Try again</Button>
        <Button look="quiet" onClick={leave}>
          Sign Out
        </Button>
      </div>
    </DoorCard>
  );
}
