// One row of the user list, with an admin's actions. Admins cannot change their own role or suspend
// themselves.
import type { User } from '../../api/auth';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import { useSession } from '../session/provider';
import { ConfirmButton } from '../ui/confirm-button';

/** Actions of an admin on a user. */
export type UserActions = {
  setSuspended(user: User, suspended: boolean): void;
  setAdmin(user: User, admin: boolean): void;
  removeFactors(user: User): void;
  inviteAgain(user: User): void;
};

export function UserRow({ user, actions }: { user: User; actions: UserActions }) {
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
      {self ? null : <Actions user={user} admin={admin} actions={actions} />}
    </li>
  );
}

function Actions({ user, admin, actions }: { user: User; admin: boolean; actions: UserActions }) {
  const { email } = user;
  const label = (name: string) => `${name} ${email}`;
  return (
    <div className="person-actions">
      {hasFactor(user) ? (
        <ConfirmButton name="Remove second factor" of={email} act={() => actions.removeFactors(user)} />
      ) : null}
      {isInvitePending(user) ? (
        <Button look="line" aria-label={label('Invite again')} onClick={() => actions.inviteAgain(user)}>
          Invite again
        </Button>
      ) : null}
      {admin ? (
        <ConfirmButton name="Remove admin access" of={email} act={() => actions.setAdmin(user, false)} />
      ) : (
        <Button look="line" aria-label={label('Make admin')} onClick={() => actions.setAdmin(user, true)}>
          Make admin
        </Button>
      )}
      {isSuspended(user) ? (
        <Button look="line" aria-label={label('Reinstate')} onClick={() => actions.setSuspended(user, false)}>
          Reinstate
        </Button>
      ) : (
        <ConfirmButton name="Suspend" of={email} act={() => actions.setSuspended(user, true)} />
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

/** Invited, but the invitation is not accepted yet. */
function isInvitePending(user: User): boolean {
  return Boolean(user.invited_at && !user.email_confirmed_at && !isSuspended(user));
}

function isSuspended({ banned_until }: User): boolean {
  return banned_until !== undefined && Date.parse(banned_until) > Date.now();
}

function lastSeen(user: User): string {
  if (isSuspended(user)) return 'Suspended';
  if (user.last_sign_in_at) return `Last signed in ${dateTime(user.last_sign_in_at)}`;
  return user.invited_at ? `Invited ${dateTime(user.invited_at)}` : 'Has not signed in yet';
}
