// Who has an account here, newest first: invite somebody, give and take the role, lock and unlock, take a lost second factor away.
import { useCallback, useEffect, useState } from 'react';
import {
  invite,
  listUsers,
  lockUser,
  removeFactorOf,
  setAdmin,
  type User,
  type UserPage,
} from '../../api/auth';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../door/card';
import { Heading } from '../heading';
import { useAuth } from '../session/provider';
import { inWords } from '../use-send';
import { Invite } from './invite';
import { type Acts, isAdmin, Person } from './person';

const pageSize = 50;
/** Users that one call gives at most. */
const callSize = 1000;

export function People() {
  const { keeper } = useAuth();
  const [users, setUsers] = useState<User[]>();
  const [next, setNext] = useState<string>();
  const [alert, setAlert] = useState('');

  const show = useCallback(
    async (known: User[], wanted: number, from?: string) => {
      setAlert('');
      try {
        const found = await keeper.authorised((token) => read(token, wanted, from));
        setUsers([...known, ...found.users]);
        setNext(found.next_cursor);
      } catch (error) {
        setAlert(inWords(error));
      }
    },
    [keeper],
  );
  useEffect(() => {
    show([], pageSize);
  }, [show]);

  /** Brings the list up to date as far as it is shown. */
  const refresh = () => show([], Math.max(pageSize, users?.length ?? 0));

  async function attempt(job: () => Promise<unknown>, said: string) {
    setAlert('');
    try {
      await job();
      toast({ title: said });
      await refresh();
    } catch (error) {
      setAlert(inWords(error));
    }
  }

  const acts: Acts = {
    lock: ({ id, email }, locked) =>
      attempt(
        () => keeper.authorised((token) => lockUser(token, id, locked)),
        locked ? `${email} is locked out` : `${email} may sign in again`,
      ),
    makeAdmin: ({ id, email }, admin) =>
      attempt(
        () => keeper.authorised((token) => setAdmin(token, id, admin)),
        admin ? `${email} is an admin now` : `${email} is no longer an admin`,
      ),
    takeFactors: ({ id, factors = [] }) =>
      attempt(async () => {
        for (const factor of factors)
          await keeper.authorised((token) => removeFactorOf(token, id, factor.id));
      }, 'Second factor removed'),
    inviteAgain: (user) =>
      attempt(
        () => keeper.authorised((token) => invite(token, user.email, isAdmin(user))),
        `${user.email} gets a new link`,
      ),
  };

  return (
    <div className="account">
      <Heading>People</Heading>
      <Invite invited={refresh} />
      <section aria-labelledby="accounts-title">
        <h2 id="accounts-title">Accounts</h2>
        <FormAlert text={alert} />
        {users ? null : <p role="status">{alert ? '' : 'Loading'}</p>}
        <ul className="things">
          {(users ?? []).map((user) => (
            <Person key={user.id} user={user} acts={acts} />
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
