// Who has an account here. Loaded newest first, a page at a time.
import { useCallback, useEffect, useState } from 'react';
import { listUsers, type User } from '../../api/auth';
import { Button } from '../../ui/button';
import { FormAlert } from '../door/card';
import { Heading } from '../heading';
import { moment } from '../queue/words';
import { useAuth } from '../session/provider';
import { inWords } from '../use-send';

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

  return (
    <div className="account">
      <Heading>People</Heading>
      <section aria-label="Accounts">
        <FormAlert text={alert} />
        {users ? null : <p role="status">{alert ? '' : 'Loading'}</p>}
        <ul className="things">
          {(users ?? []).map((user) => (
            <li key={user.id}>
              <span>
                <strong>{user.email || 'No address'}</strong>
                <span className="muted">{lastSeen(user)}</span>
              </span>
            </li>
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

function lastSeen({ last_sign_in_at, invited_at, banned_until }: User): string {
  if (banned_until && Date.parse(banned_until) > Date.now()) return `Locked until ${moment(banned_until)}`;
  if (last_sign_in_at) return `Last signed in ${moment(last_sign_in_at)}`;
  return invited_at ? `Invited ${moment(invited_at)}` : 'Has not signed in yet';
}
