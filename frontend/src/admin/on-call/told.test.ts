// Who was told of an alarm and how, as the page says it.
import { expect, it } from 'vitest';
import type { AlarmItem } from '../../api/on-call';
import { testResult, toldLines } from './alarms';

const people = [
  { id: 'a', email: 'ada@guard.example', name: 'Ada', devices: 1 },
  { id: 'b', email: 'ben@guard.example', name: 'Ben', devices: 0 },
];
type Message = AlarmItem['messages'][number];

const message = (id: string, channel: Message['channel'], state: Message['state']) => ({
  person: { id, email: null, name: null },
  channel,
  state,
  created_at: '2026-11-23T15:00:00.000Z',
});
const alarm = (changes: Partial<AlarmItem>): AlarmItem => ({
  id: 1,
  kind: 'test',
  state: 'raised',
  created_at: '2026-11-23T15:00:00.000Z',
  round: 1,
  messages: [],
  webhooks: [],
  ...changes,
});

it('groups the ways by person, and names systems', () => {
  const messages = [
    message('a', 'push', 'sent'),
    message('a', 'call', 'sent'),
    message('a', 'push', 'sent'),
    message('b', 'call', 'failed'),
    message('b', 'email', 'due'),
    message('b', 'sms', 'over'),
  ];
  const webhooks = [{ name: 'Dispatch room', state: 'sent' as const }];
  expect(toldLines(alarm({ messages, webhooks }), people)).toEqual([
    'Told: Ada by a notification on a device and phone call; Dispatch room by webhook.',
    'Not reached: Ben by phone call.',
    'Not sent yet: Ben by email.',
  ]);
  expect(toldLines(alarm({}), people)).toEqual(['Nobody was told yet.']);
  expect(toldLines(alarm({ state: 'over' }), people)).toEqual(['Nobody was told.']);
});

it('says how the newest test of a person went', () => {
  const ofBen = alarm({ person: 'b', messages: [message('b', 'email', 'sent')] });
  const all = [ofBen, alarm({ messages: [message('a', 'push', 'failed')], acknowledged_by: 'a' })];
  expect(testResult(all, people, 'b')).toMatch(/^Test of .+\. Told: Ben by email\. Not acknowledged\.$/);
  expect(testResult(all, people, 'a')).toContain('Not reached: Ada by a notification on a device.');
  expect(testResult(all, people, 'a')).toContain('Acknowledged by Ada.');
  expect(testResult(all, people, 'c')).toBe('');
});
