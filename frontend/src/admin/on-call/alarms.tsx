// The newest alarms: what each is about, who was notified in which way, with which outcome.

import { useCallback, useEffect, useState } from 'react';
import {
  type AlarmItem,
  acknowledgeAlarm,
  listAlarms,
  type OnCallPerson,
  testAlarm,
} from '../../api/on-call';
import { serverNow } from '../../api/server-clock';
import { Button } from '../../ui/button';
import { formatDeskUrl } from '../requests/desk-url';
import { dateTime, listText, serviceLabel } from '../requests/format';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { useAttempt, useCoalesced } from '../ui/use-attempt';
import { usePolling } from '../ui/use-polling';
import { Waiting } from '../ui/waiting';
import { nameOf } from './people';

const kinds: Record<string, string> = {
  emergency: 'Emergency',
  overdue: 'Overdue request',
  test: 'Test alarm',
  gap: 'Nobody is on call',
};

type Props = { people: OnCallPerson[]; store: AlarmStore };

export function Alarms({ people, store: { alarms, isKnown, alert, change, read } }: Props) {
  const { isAdmin } = useAuth();
  return (
    <section aria-labelledby="alarms-title">
      <h2 id="alarms-title">Alarms</h2>
      {isKnown ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={read} />}
      {isKnown && !alarms.length ? <p>No alarms yet.</p> : null}
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

type Message = AlarmItem['messages'][number];

const ways: Record<Message['channel'], string> = {
  push: 'a notification on a device',
  call: 'phone call',
  sms: 'text message',
  email: 'email',
};
const states: Record<string, string> = {
  due: 'not sent yet',
  sent: 'sent',
  failed: 'failed',
  over: 'no longer needed',
};

const wayOf = ({ channel }: Message) => ways[channel];
const unique = (words: string[]) => [...new Set(words)];

/** Each person with the ways of the messages in a state, as "dispatch by email and phone call". */
function peopleIn(messages: Message[], people: OnCallPerson[], state: string): string[] {
  const found = messages.filter((it) => it.state === state);
  return unique(found.map(({ person }) => person.id)).map((id) => {
    const own = found.filter(({ person }) => person.id === id);
    return `${nameOf(people, id)} by ${listText(unique(own.map(wayOf)))}`;
  });
}

/** The lines about who was notified, who was not, and which systems were. */
export function toldLines({ messages, webhooks, state: of }: AlarmItem, people: OnCallPerson[]): string[] {
  const systems = (state: string) =>
    unique(webhooks.filter((it) => it.state === state).map(({ name }) => `${name} by webhook`));
  const line = (label: string, state: string) => {
    const found = [...peopleIn(messages, people, state), ...systems(state)];
    return found.length ? [`${label}: ${found.join('; ')}.`] : [];
  };
  const lines = [...line('Told', 'sent'), ...line('Not reached', 'failed'), ...line('Not sent yet', 'due')];
  return lines.length ? lines : [of === 'raised' ? 'Nobody was told yet.' : 'Nobody was told.'];
}

/** One message, for the log. */
function messageText(message: Message, people: OnCallPerson[]): string {
  const { created_at: at, person, state, error } = message;
  const why = error ? ` (${error})` : '';
  return `${dateTime(at)}: ${nameOf(people, person.id)} by ${wayOf(message)}, ${states[state] ?? state}${why}`;
}

/** The result of the newest test of a person; empty if there was none. */
export function testResult(alarms: AlarmItem[], people: OnCallPerson[], id: string): string {
  const test = alarms.find(
    ({ kind, person, messages }) =>
      kind === 'test' && (person === id || (!person && messages.some((it) => it.person.id === id))),
  );
  if (!test) return '';
  const own = test.messages.filter((it) => it.person.id === id);
  const by = test.acknowledged_by;
  const answer = by ? `Acknowledged by ${nameOf(people, by)}.` : 'Not acknowledged.';
  const told = toldLines({ ...test, messages: own, webhooks: [] }, people);
  return `Test of ${dateTime(test.created_at)}. ${told.join(' ')} ${answer}`;
}

/** The pause before an alarm that is being sent is read again, and how long that goes on, in ms. */
const [soon, giveUp] = [2000, 60_000];

const isBeingSent = ({ created_at, state, messages }: AlarmItem) =>
  state === 'raised' &&
  serverNow() - Date.parse(created_at) < giveUp &&
  (!messages.length || messages.some((it) => it.state === 'due'));

/** The newest alarms, read again every 20 s, and soon while one is being sent. */
export function useAlarms() {
  const { manager } = useAuth();
  const [alarms, setAlarms] = useState<AlarmItem[]>();
  const { alert, attempt } = useAttempt();
  const change = useCallback(
    (job: (token: string) => Promise<{ alarms: AlarmItem[] }>) =>
      attempt(async () => setAlarms((await manager.withToken(job)).alarms)),
    [manager, attempt],
  );
  // At most one reading is before a change in its queue.
  const read = useCoalesced(() => change(listAlarms));
  useEffect(read, [read]);
  usePolling(read, true);
  useEffect(() => {
    if (!alarms?.some(isBeingSent)) return;
    const timer = setTimeout(read, soon);
    return () => clearTimeout(timer);
  }, [alarms, read]);
  return { alarms: alarms ?? [], isKnown: alarms !== undefined, alert, change, read };
}

export type AlarmStore = ReturnType<typeof useAlarms>;
