// One account in the list of people. Locking out asks twice; nobody can lock out themselves.
import { useState } from 'react';
import type { User } from '../../api/auth';
import { Button } from '../../ui/button';
import { moment } from '../queue/words';
import { useSession } from '../session/provider';

type Props = {
  user: User;
  lock(user: User, locked: boolean): void;
  takeFactors(user: User): void;
};

export function Person({ user, lock, takeFactors }: Props) {
  const self = useSession().user.id === user.id;
  const [asked, setAsked] = useState(false);
  const locked = isLocked(user);
  const lost = (user.factors ?? []).some(({ status }) => status === 'verified');
  return (
    <li>
      <span>
        <strong>{user.email || 'No address'}</strong>
        {self ? <span className="here"> You</span> : null}
        <span className="muted">{lastSeen(user)}</span>
      </span>
      {self ? null : (
        <>
          {lost ? (
            <Button look="quiet" onClick={() => takeFactors(user)}>
              Remove second factor
            </Button>
          ) : null}
          <Button
            look="line"
            className={asked ? 'armed' : undefined}
            aria-label={`${locked ? 'Unlock' : asked ? 'Really lock out' : 'Lock out'} ${user.email}`}
            onBlur={() => setAsked(false)}
            onClick={() => {
              if (locked || asked) lock(user, !locked);
              setAsked(!locked && !asked);
            }}
          >
            {locked ? 'Unlock' : asked ? 'Really lock out' : 'Lock out'}
          </Button>
        </>
      )}
    </li>
  );
}

function isLocked({ banned_until }: User): boolean {
  return banned_until !== undefined && Date.parse(banned_until) > Date.now();
}

function lastSeen(user: User): string {
  if (isLocked(user)) return 'Locked out';
  if (user.last_sign_in_at) return `Last signed in ${moment(user.last_sign_in_at)}`;
  return user.invited_at ? `Invited ${moment(user.invited_at)}` : 'Has not signed in yet';
}
