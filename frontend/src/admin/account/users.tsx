// All users, newest first: invite, change and remove roles, suspend, remove a lost second
// factor.
import { useCallback, useEffect, useState } from 'react';
import {
  invite,
  listUsers,
  removeUserFactor,
  setUserRole,
  setUserSuspended,
  type User,
  type UserPage,
} from '../../api/auth';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { usePeople } from '../state/use-people';
import { useSystem } from '../state/use-system';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { useAttempt } from '../ui/use-attempt';
import { Invite } from './invite';
import { roleOf, type UserActions, UserRow } from './user-row';

const pageSize = 50;
/** The server's limit of users per call. */
const callSize = 1000;

export function Users() {
  const { manager } = useAuth();
  const [users, setUsers] = useState<User[]>();
  const [next, setNext] = useState<string>();
  const people = usePeople();
  const invitationSeconds = useSystem()?.invitation_seconds;
  const { alert, attempt } = useAttempt();

  const show = useCallback(
    (known: User[], wanted: number, from?: string) =>
      attempt(async () => {
        const found = await manager.withToken(read, wanted, from);
        setUsers([...known, ...found.users]);
        setNext(found.next_cursor);
      }),
    [manager, attempt],
  );
  useEffect(() => {
    show([], pageSize);
  }, [show]);

  /** Reloads as many users as are shown. */
  const refresh = () => show([], Math.max(pageSize, users?.length ?? 0));

  async function change(job: () => Promise<unknown>, done: string) {
    if (!(await attempt(job))) return;
    toast({ title: done });
    await refresh();
  }

  const actions: UserActions = {
    setSuspended: ({ id, email }, suspended) =>
      change(
        () => manager.withToken(setUserSuspended, id, suspended),
        suspended ? `${email} is suspended` : `${email} may sign in again`,
      ),
    setRole: ({ id, email }, role) =>
      change(
        () => manager.withToken(setUserRole, id, role),
        role
          ? `${email} is ${role === 'admin' ? 'an admin' : 'a dispatcher'} now`
          : `${email} has no access to the dashboard now`,
      ),
    removeFactors: ({ id, factors = [] }) =>
      change(async () => {
        for (const factor of factors) await manager.withToken(removeUserFactor, id, factor.id);
      }, 'Second factor removed'),
    inviteAgain: (user) =>
      change(() => manager.withToken(invite, user.email, roleOf(user)), `${user.email} gets a new link`),
  };

  return (
    <div className="account">
      <Heading>Users</Heading>
      <Invite invited={refresh} />
      <section aria-labelledby="accounts-title">
        <h2 id="accounts-title">Accounts</h2>
        <FormAlert text={alert} />
        {users ? null : <p role="status">{alert ? '' : 'Loading'}</p>}
        <ul className="things">
          {(users ?? []).map((user) => (
            <UserRow
              key={user.id}
              user={user}
              name={people.find(({ id }) => id === user.id)?.name ?? undefined}
              actions={actions}
              invitationSeconds={invitationSeconds}
            />
          ))}
        </ul>
        {users && next ? (
          <div className="actions">
            <Button look="line" onClick={() => show(users, pageSize, next)}>
              Load more
            </Button>
          </div>
        ) : null}
      </section>
    </div>
  );
}

/** Reads `wanted` users after a cursor, in as few calls as the server allows. */
async function read(token: string, wanted: number, from?: string): Promise<UserPage> {
  const users: User[] = [];
  let cursor = from;
  do {
    const page = await listUsers(token, Math.min(wanted - users.length, callSize), cursor);
    users.push(...page.users);
    cursor = page.next_cursor;
  } while (cursor && users.length < wanted);
  return { users, ...(cursor ? { next_cursor: cursor } : {}) };
}
