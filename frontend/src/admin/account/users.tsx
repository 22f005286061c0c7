// All users, newest first: invite, change and remove roles, suspend, remove a lost second
// factor.

import { useCallback, useEffect, useRef, useState } from 'react';
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
import { usePeople, useSystem } from '../state/use-system';
import { FormAlert } from '../ui/auth-card';
import { Labeled, TextField } from '../ui/field';
import { Heading } from '../ui/heading';
import { useAttempt } from '../ui/use-attempt';
import { emailField, required, SubmitForm, useSubmit } from '../ui/use-submit';
import { Waiting } from '../ui/waiting';
import { roleOf, type UserActions, UserRow } from './user-row';

const pageSize = 50;
/** The server's limit of users per call. */
const callSize = 1000;

export function Users() {
  const { manager } = useAuth();
  const [page, setPage] = useState<UserPage>();
  const shown = useRef<UserPage>({ users: [] });
  const people = usePeople();
  const invitationSeconds = useSystem()?.invitation_seconds;
  const { alert, attempt } = useAttempt();

  const show = useCallback((found: UserPage) => {
    shown.current = found;
    setPage(found);
  }, []);

  /** Reads as many users as are shown. */
  const refresh = useCallback(
    () =>
      attempt(async () => {
        const count = Math.max(pageSize, shown.current.users.length);
        show(await manager.withToken(read, count));
      }),
    [manager, attempt, show],
  );
  useEffect(() => void refresh(), [refresh]);

  const more = () =>
    attempt(async () => {
      const { users, next_cursor } = shown.current;
      if (!next_cursor) return;
      const found = await manager.withToken(read, pageSize, next_cursor);
      show({ ...found, users: [...users, ...found.users] });
    });

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
        {page ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={refresh} />}
        <ul className="things">
          {(page?.users ?? []).map((user) => (
            <UserRow
              key={user.id}
              user={user}
              name={people.find(({ id }) => id === user.id)?.name ?? undefined}
              actions={actions}
              invitationSeconds={invitationSeconds}
            />
          ))}
        </ul>
        {page?.next_cursor ? (
          <div className="actions">
            <Button look="line" onClick={more}>
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

/** Invites a user by email; the link lets them choose a password. */
function Invite({ invited }: { invited: () => void }) {
  const { manager } = useAuth();
  const sending = useSubmit({
    keep: 'invite',
    check: required('email'),
    send: async ({ email = '', role }) => {
      const address = email.trim();
      await manager.withToken(invite, address, role === 'admin' || role === 'dispatcher' ? role : undefined);
      toast({ title: 'Invitation sent', detail: `${address} gets a link that works once.` });
      sending.form.ref.current?.reset();
      invited();
    },
    fieldOf: emailField,
  });
  return (
    <section aria-labelledby="invite-title">
      <h2 id="invite-title">Invite</h2>
      <SubmitForm of={sending} submit="Send the invitation" look="ink">
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="off"
          error={sending.messages.email}
        />
        <Labeled id="role" label="Role">
          <select id="role" name="role" className="input">
            <option value="dispatcher">Dispatcher: works on requests</option>
            <option value="admin">Admin: also users, the site, exports and erasure</option>
            <option value="">No access to the dashboard</option>
          </select>
        </Labeled>
      </SubmitForm>
    </section>
  );
}
