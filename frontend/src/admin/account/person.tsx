// One account in the list of people: who it is, what they may do, and what an admin does about it. Nobody takes the role or
// the key from themselves here.
import type { User } from '../../api/auth';
import { Button } from '../../ui/button';
import { moment } from '../queue/words';
import { useSession } from '../session/provider';
import { Twice } from './twice';

/** What is done to an account. */
export type Acts = {
  lock(user: User, locked: boolean): void;
  makeAdmin(user: User, admin: boolean): void;
  takeFactors(user: User): void;
  inviteAgain(user: User): void;
};

export function Person({ user, acts }: { user: User; acts: Acts }) {
  const self = useSession().user.id === user.id;
  const admin = isAdmin(user);
  return (
    <li className="person">
      <span>
        <strong>{user.email || 'No address'}</strong>
        {self ? <span className="here"> You</span> : null}
        <span className="muted">
          <span className={admin ? 'role role-admin' : 'role'}>{admin ? 'Admin' : 'No role'}</span>
          {[hasFactor(user) ? 'Second factor' : '', lastSeen(user)].filter(Boolean).join(' · ')}
        </span>
      </span>
      {self ? null : <Actions user={user} admin={admin} acts={acts} />}
    </li>
  );
}

function Actions({ user, admin, acts }: { user: User; admin: boolean; acts: Acts }) {
  const { email } = user;
  const label = (name: string) => `${name} ${email}`;
  return (
    <div className="person-actions">
      {hasFactor(user) ? (
        <Twice name="Remove second factor" of={email} act={() => acts.takeFactors(user)} />
      ) : null}
      {isWaitedFor(user) ? (
        <Button look="line" aria-label={label('Invite again')} onClick={() => acts.inviteAgain(user)}>
          Invite again
        </Button>
      ) : null}
      {admin ? (
        <Twice name="Take admin role" of={email} act={() => acts.makeAdmin(user, false)} />
      ) : (
        <Button look="line" aria-label={label('Make admin')} onClick={() => acts.makeAdmin(user, true)}>
          Make admin
        </Button>
      )}
      {isLocked(user) ? (
        <Button look="line" aria-label={label('Unlock')} onClick={() => acts.lock(user, false)}>
          Unlock
        </Button>
      ) : (
        <Twice name="Lock out" of={email} act={() => acts.lock(user, true)} />
      )}
    </div>
  );
}

export function isAdmin({ roles = [] }: User): boolean {
  return roles.includes('admin');
}

function hasFactor({ factors = [] }: User): boolean {
  return factors.some(({ status }) => status === 'verified');
}

/** Invited, and the invitation not taken yet. */
function isWaitedFor(user: User): boolean {
  return Boolean(user.invited_at && !user.email_confirmed_at && !isLocked(user));
}

function isLocked({ banned_until }: User): boolean {
  return banned_until !== undefined && Date.parse(banned_until) > Date.now();
}

function lastSeen(user: User): string {
  if (isLocked(user)) return 'Locked out';
  if (user.last_sign_in_at) return `Last signed in ${moment(user.last_sign_in_at)}`;
  return user.invited_at ? `Invited ${moment(user.invited_at)}` : 'Has not signed in yet';
}
