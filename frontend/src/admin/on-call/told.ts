// Who was told of an alarm and how, in plain words.
import type { AlarmItem, OnCallPerson } from '../../api/on-call';
import { dateTime } from '../requests/format';
import { nameOf } from './people';

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

const listed = (words: string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const wayOf = ({ channel }: Message) => ways[channel];
const unique = (words: string[]) => [...new Set(words)];

/** Each person with the ways of the messages in a state, as "dispatch by email and phone call". */
function peopleIn(messages: Message[], people: OnCallPerson[], state: string): string[] {
  const found = messages.filter((it) => it.state === state);
  return unique(found.map(({ person }) => person.id)).map((id) => {
    const own = found.filter(({ person }) => person.id === id);
    return `${nameOf(people, id)} by ${listed(unique(own.map(wayOf)))}`;
  });
}

/** The lines about who was told, who was not, and which systems were. */
export function toldLines({ messages, webhooks, state: of }: AlarmItem, people: OnCallPerson[]): string[] {
  const line = (label: string, found: string[]) => (found.length ? [`${label}: ${found.join('; ')}.`] : []);
  const systems = (state: string) =>
    unique(webhooks.filter((it) => it.state === state).map(({ name }) => name));
  const lines = [
    ...line('Told', [
      ...peopleIn(messages, people, 'sent'),
      ...systems('sent').map((name) => `${name} by webhook`),
    ]),
    ...line('Not reached', [
      ...peopleIn(messages, people, 'failed'),
      ...systems('failed').map((name) => `${name} by webhook`),
    ]),
    ...line('Not sent yet', [
      ...peopleIn(messages, people, 'due'),
      ...systems('due').map((name) => `${name} by webhook`),
    ]),
  ];
  return lines.length ? lines : [of === 'raised' ? 'Nobody was told yet.' : 'Nobody was told.'];
}

/** One message, for the log. */
export function messageText(message: Message, people: OnCallPerson[]): string {
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
