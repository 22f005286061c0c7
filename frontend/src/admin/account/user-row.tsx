// One row of the user list, with an admin's actions. Admins cannot change their own role or suspend
// themselves.
import type { Role, User } from '../../api/auth';
import { serverNow } from '../../api/server-clock';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import { useSession } from '../session/provider';
import { ConfirmButton } from '../ui/confirm-button';
import { Popover } from '../ui/popover';

/** Actions of an admin on a user. */
export type UserActions = {
  setSuspended(user: User, suspended: boolean): void;
  /** Without a role, the user has no access. */
  setRole(user: User, role: Role | undefined): void;
  removeFactors(user: User): void;
  inviteAgain(user: User): void;
};

type Props = {
  user: User;
  /** The name that they gave themselves. */
  name: string | undefined;
  actions: UserActions;
  invitationSeconds: number | undefined;
};

export function UserRow({ user, name, actions, invitationSeconds }: Props) {
  const self = useSession().user.id === user.id;
  const role = roleOf(user);
  return (
    <li className="person">
      <span>
        <strong>{name || user.email || 'No address'}</strong>
        {self ? <span className="here"> You</span> : null}
        {name ? <span className="person-email">{user.email}</span> : null}
        <span className="muted">
          <span className={role ? `role role-${role}` : 'role'}>{role ? roleNames[role] : 'No role'}</span>
          {[hasFactor(user) ? 'Second factor' : '', lastSeen(user, invitationSeconds)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {self ? null : <Actions user={user} role={role} actions={actions} />}
    </li>
  );
}

type ActionsProps = { user: User; role: Role | undefined; actions: UserActions };

function Actions({ user, role, actions }: ActionsProps) {
  const { email } = user;
  const label = (name: string) => `${name} ${email}`;
  return (
    <Popover
      className="person-actions"
      summary={
        <span>
          Change<span className="visually-hidden"> {email}</span>
        </span>
      }
    >
      {hasFactor(user) ? (
        <ConfirmButton name="Remove second factor" of={email} act={() => actions.removeFactors(user)} />
      ) : null}
      {isInvitePending(user) ? (
        <Button look="line" aria-label={label('Invite again')} onClick={() => actions.inviteAgain(user)}>
          Invite again
        </Button>
      ) : null}
      {role === 'admin' ? null : (
        <Button look="line" aria-label={label('Make admin')} onClick={() => actions.setRole(user, 'admin')}>
          Make admin
        </Button>
      )}
      {role === 'dispatcher' ? null : (
        <ConfirmButton name="Make dispatcher" of={email} act={() => actions.setRole(user, 'dispatcher')} />
      )}
      {role ? (
        <ConfirmButton
          name={`Remove ${role} access`}
          of={email}
          act={() => actions.setRole(user, undefined)}
        />
      ) : null}
      {isSuspended(user) ? (
        <Button look="line" aria-label={label('Reinstate')} onClick={() => actions.setSuspended(user, false)}>
          Reinstate
        </Button>
      ) : (
        <ConfirmButton name="Suspend" of={email} act={() => actions.setSuspended(user, true)} />
      )}
    </Popover>
  );
}

const roleNames: Record<Role, string> = { admin: 'Admin', dispatcher: 'Dispatcher' };

export function roleOf({ roles = [] }: User): Role | undefined {
  return (['admin', 'dispatcher'] as const).find((role) => roles.includes(role));
}

function hasFactor({ factors = [] }: User): boolean {
  return factors.some(({ status }) => status === 'verified');
}

/** Invited, but the invitation is not accepted yet. */
function isInvitePending(user: User): boolean {
  return Boolean(user.invited_at && !user.email_confirmed_at && !isSuspended(user));
}

function isSuspended({ banned_until }: User): boolean {
  return banned_until !== undefined && Date.parse(banned_until) > serverNow();
}

function lastSeen(user: User, invitationSeconds: number | undefined): string {
  if (isSuspended(user)) return 'Suspended';
  if (user.last_sign_in_at) return `Last signed in ${dateTime(user.last_sign_in_at)}`;
  if (!user.invited_at) return 'Has not signed in yet';
  const invited = `Invited ${dateTime(user.invited_at)}`;
  if (!invitationSeconds || !isInvitePending(user)) return invited;
  const end = Date.parse(user.invited_at) + invitationSeconds * 1000;
  const until = dateTime(new Date(end).toISOString());
  return end > serverNow() ? `${invited}, valid until ${until}` : `Invitation expired ${until}`;
}
