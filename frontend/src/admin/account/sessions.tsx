// Where this account is signed in, and how to end it there.
import { useCallback, useEffect, useState } from 'react';
import { type Device, endSession, listSessions } from '../../api/auth';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../door/card';
import { moment } from '../queue/words';
import { useAuth } from '../session/provider';
import { inWords } from '../use-send';
import { device } from './device';

export function Sessions() {
  const { keeper } = useAuth();
  const [sessions, setSessions] = useState<Device[]>();
  const [alert, setAlert] = useState('');

  const load = useCallback(
    () =>
      keeper.authorised(listSessions).then(
        (found) => setSessions(found.sessions),
        (error) => setAlert(inWords(error)),
      ),
    [keeper],
  );
  useEffect(() => {
    load();
  }, [load]);

  async function attempt(job: () => Promise<unknown>, said: string) {
    setAlert('');
    try {
      await job();
      toast({ title: said });
      await load();
    } catch (error) {
      setAlert(inWords(error));
    }
  }

  const end = ({ id }: Device) =>
    attempt(() => keeper.authorised((token) => endSession(token, id)), 'Session ended');

  return (
    <section aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      <FormAlert text={alert} />
      {sessions ? null : <p role="status">{alert ? '' : 'Loading'}</p>}
      <ul className="things">
        {(sessions ?? []).map((session) => (
          <li key={session.id}>
            <span>
              <strong>{device(session.user_agent ?? '')}</strong>
              {session.current ? <span className="here"> This session</span> : null}
              <span className="muted">{`Last used ${moment(session.refreshed_at)}`}</span>
            </span>
            {session.current ? null : (
              <Button
                look="line"
                aria-label={`End the session on ${device(session.user_agent ?? '')}`}
                onClick={() => end(session)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button
          look="line"
          onClick={() => attempt(() => keeper.signOut('others'), 'All other sessions ended')}
        >
          End all others
        </Button>
        <Button look="line" onClick={() => attempt(() => keeper.signOut('global'), 'Signed out')}>
          End all, this one too
        </Button>
      </div>
    </section>
  );
}
