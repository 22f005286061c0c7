// The newest alarms: who was told, by which way, with which outcome.
import { useCallback, useEffect, useState } from 'react';
import {
  type AlarmItem,
  acknowledgeAlarm,
  listAlarms,
  type OnCallPerson,
  testAlarm,
} from '../../api/on-call';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { errorMessage } from '../ui/use-submit';
import { nameOf } from './people';

const kinds: Record<string, string> = {
  emergency: 'Emergency',
  overdue: 'Overdue request',
  test: 'Test alarm',
  gap: 'Nobody is on call',
};
const states: Record<string, string> = { due: 'waiting', sent: 'sent', failed: 'failed', over: 'not needed' };
const ways: Record<string, string> = { push: 'push', call: 'call', sms: 'text message', email: 'email' };
/** How often they are read, in milliseconds. */
const interval = 15_000;

export function Alarms({ people }: { people: OnCallPerson[] }) {
  const { manager } = useAuth();
  const [alarms, setAlarms] = useState<AlarmItem[]>([]);
  const [alert, setAlert] = useState('');
  const change = useCallback(
    (job: (token: string) => Promise<{ alarms: AlarmItem[] }>) =>
      manager.withToken(job).then(
        (found) => {
          setAlarms(found.alarms);
          setAlert('');
        },
        (error) => setAlert(errorMessage(error)),
      ),
    [manager],
  );
  useEffect(() => {
    change(listAlarms);
    const timer = setInterval(() => change(listAlarms), interval);
    return () => clearInterval(timer);
  }, [change]);
  return (
    <section aria-labelledby="alarms-title">
      <h2 id="alarms-title">Alarms</h2>
      <FormAlert text={alert} />
      {alarms.length ? null : <p>No alarms yet.</p>}
      <ul className="things">
        {alarms.map((alarm) => (
          <li key={alarm.id}>
            <span>
              <strong>{kinds[alarm.kind] ?? alarm.kind}</strong>
              <span className="muted">
                {dateTime(alarm.created_at)}
                {alarm.acknowledged_by ? `, acknowledged by ${nameOf(people, alarm.acknowledged_by)}` : ''}
                {alarm.state === 'over' && !alarm.acknowledged_by ? ', over' : ''}
              </span>
              {alarm.messages.length ? (
                <details>
                  <summary>{`Told: ${alarm.messages.length}`}</summary>
                  <ul>
                    {alarm.messages.map((it) => (
                      <li key={`${it.created_at}${it.channel}${it.person.id}`}>
                        {`${dateTime(it.created_at)}: ${it.person.email ?? 'somebody'} by ${ways[it.channel] ?? it.channel}, ${states[it.state] ?? it.state}`}
                        {it.error ? ` (${it.error})` : ''}
                      </li>
                    ))}
                  </ul>
                </details>
              ) : null}
            </span>
            {alarm.state === 'raised' ? (
              <Button onClick={() => change((token) => acknowledgeAlarm(token, alarm.id))}>
                Acknowledge
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button look="line" onClick={() => change(testAlarm)}>
          Raise a test alarm now
        </Button>
      </div>
    </section>
  );
}
