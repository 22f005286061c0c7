// Who has an account here, newest first: invite somebody, give and take the role, lock and unlock, take a lost second factor away.
import { useCallback, useEffect, useState } from 'react';
import { invite, listUsers, lockUser, removeFactorOf, setAdmin, type User } from '../../api/auth';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../door/card';
import { Heading } from '../heading';
import { useAuth } from '../session/provider';
import { inWords } from '../use-send';
import { Invite } from './invite';
import { type Acts, isAdmin, Person } from './person';

const pageSize = 50;

export function People() {
  const { keeper } = useAuth();
  const [users, setUsers] = useState<User[]>();
  const [whole, setWhole] = useState(false);
  const [alert, setAlert] = useState('');

  const load = useCallback(
    async (page: number) => {
      setAlert('');
      try {
        const { users: found } = await keeper.authorised((token) => listUsers(token, page, pageSize));
        setUsers((before = []) => (page === 1 ? found : [...before, ...found]));
        setWhole(found.length < pageSize);
      } catch (error) {
        setAlert(inWords(error));
      }
    },
    [keeper],
  );
  useEffect(() => {
    load(1);
  }, [load]);

  async function attempt(job: () => Promise<unknown>, said: string) {
    setAlert('');
    try {
      await job();
      toast({ title: said });
      await load(1);
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
      <Invite invited={() => load(1)} />
      <section aria-labelledby="accounts-title">
        <h2 id="accounts-title">Accounts</h2>
        <FormAlert text={alert} />
        {users ? null : <p role="status">{alert ? '' : 'Loading'}</p>}
        <ul className="things">
          {(users ?? []).map((user) => (
            <Person key={user.id} user={user} acts={acts} />
          ))}
        </ul>
        {users && !whole ? (
          <div className="actions">
            <Button look="line" onClick={() => load(Math.floor(users.length / pageSize) + 1)}>
              Load more
            </Button>
          </div>
        ) : null}
      </section>
    </div>
  );
}
