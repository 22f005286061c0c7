// The newest alarms: who was notified, by which channel, with which outcome.
import { useCallback, useEffect, useState } from 'react';
import {
  type AlarmItem,
  acknowledgeAlarm,
  listAlarms,
  type OnCallPerson,
  testAlarm,
} from '../../api/on-call';
import { Button } from '../../ui/button';
import { formatDeskUrl } from '../requests/desk-url';
import { dateTime, personName } from '../requests/format';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { useAttempt } from '../ui/use-attempt';
import { usePolling } from '../ui/use-polling';
import { nameOf } from './people';

const kinds: Record<string, string> = {
  emergency: 'Emergency',
  overdue: 'Overdue request',
  test: 'Test alarm',
  gap: 'Nobody is on call',
};
const states: Record<string, string> = { due: 'waiting', sent: 'sent', failed: 'failed', over: 'not needed' };
const ways: Record<string, string> = { push: 'push', call: 'call', sms: 'text message', email: 'email' };
export function Alarms({ people }: { people: OnCallPerson[] }) {
  const { manager, isAdmin } = useAuth();
  const [alarms, setAlarms] = useState<AlarmItem[]>([]);
  const { alert, attempt } = useAttempt();
  const change = useCallback(
    (job: (token: string) => Promise<{ alarms: AlarmItem[] }>) =>
      attempt(async () => setAlarms((await manager.withToken(job)).alarms)),
    [manager, attempt],
  );
  useEffect(() => {
    change(listAlarms);
  }, [change]);
  usePolling(() => change(listAlarms), true);
  return (
    <section aria-labelledby="alarms-title">
      <h2 id="alarms-title">Alarms</h2>
      <FormAlert text={alert} />
      {alarms.length ? null : <p>No alarms yet.</p>}
      <ul className="things">
        {alarms.map((alarm) => (
          <li key={alarm.id}>
            <span>
              <strong>{kinds[alarm.kind] ?? alarm.kind}</strong>{' '}
              {alarm.request ? <a href={hrefOf(alarm.request)}>{alarm.request}</a> : null}
              <span className="muted">
                {dateTime(alarm.created_at)}
                {alarm.acknowledged_by ? `, acknowledged by ${nameOf(people, alarm.acknowledged_by)}` : ''}
                {alarm.state === 'over' && !alarm.acknowledged_by ? ', over' : ''}
              </span>
              {alarm.messages.length ? (
                <details>
                  <summary>{messagesText(alarm.messages.length)}</summary>
                  <ul>
                    {alarm.messages.map((it) => (
                      <li key={`${it.created_at}${it.channel}${it.person.id}`}>
                        {`${dateTime(it.created_at)}: ${personName(it.person)} by ${ways[it.channel] ?? it.channel}, ${states[it.state] ?? it.state}`}
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
      {isAdmin ? (
        <div className="actions">
          <Button look="line" onClick={() => change(testAlarm)}>
            Raise a test alarm now
          </Button>
        </div>
      ) : null}
    </section>
  );
}

const hrefOf = (request: string) => formatDeskUrl({ view: 'everything', filters: {}, request });

function messagesText(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`;
}
