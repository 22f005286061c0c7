// The newest alarms: what each is about, who was told by which way, with which outcome.
import { type AlarmItem, acknowledgeAlarm, type OnCallPerson, testAlarm } from '../../api/on-call';
import { Button } from '../../ui/button';
import { formatDeskUrl } from '../requests/desk-url';
import { dateTime, serviceLabel } from '../requests/format';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { nameOf } from './people';
import { messageText, toldLines } from './told';
import type { AlarmStore } from './use-alarms';

const kinds: Record<string, string> = {
  emergency: 'Emergency',
  overdue: 'Overdue request',
  test: 'Test alarm',
  gap: 'Nobody is on call',
};

type Props = { people: OnCallPerson[]; store: AlarmStore };

export function Alarms({ people, store: { alarms, alert, change } }: Props) {
  const { isAdmin } = useAuth();
  return (
    <section aria-labelledby="alarms-title">
      <h2 id="alarms-title">Alarms</h2>
      <FormAlert text={alert} />
      {alarms.length ? null : <p>No alarms yet.</p>}
      <ul className="things">
        {alarms.map((alarm) => (
          <li key={alarm.id}>
            <Alarm alarm={alarm} people={people} />
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
          <Button look="line" onClick={() => change((token) => testAlarm(token))}>
            Raise a test alarm now
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function Alarm({ alarm, people }: { alarm: AlarmItem; people: OnCallPerson[] }) {
  const { about, request, messages } = alarm;
  const of = alarm.person ? ` of ${nameOf(people, alarm.person)} alone` : '';
  const what = about ? [serviceLabel(about), about.location, about.name].filter(Boolean).join(', ') : '';
  return (
    <span className="alarm-entry">
      <strong>{`${kinds[alarm.kind] ?? alarm.kind}${of}`}</strong>
      {request ? <a href={hrefOf(request)}>{what || request}</a> : null}
      <span className="muted">{stateText(alarm, people)}</span>
      {toldLines(alarm, people).map((line) => (
        <span key={line}>{line}</span>
      ))}
      {messages.length > 1 ? (
        <details>
          <summary>{`All ${messages.length} messages`}</summary>
          <ul>
            {messages.map((it) => (
              <li key={`${it.created_at}${it.channel}${it.person.id}`}>{messageText(it, people)}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </span>
  );
}

const hrefOf = (request: string) => formatDeskUrl({ view: 'everything', filters: {}, request });

function stateText({ created_at, acknowledged_by: by, state }: AlarmItem, people: OnCallPerson[]): string {
  const at = dateTime(created_at);
  if (by) return `${at}, acknowledged by ${nameOf(people, by)}`;
  return state === 'over' ? `${at}, over` : `${at}, not acknowledged`;
}
