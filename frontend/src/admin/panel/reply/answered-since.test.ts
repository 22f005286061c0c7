// Which answers of colleagues a reply warns of.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox';
import { answeredSince } from './answered-since';

const at = '2026-11-21T12:00:00.000Z';
const ann = { id: 'ann', email: 'ann@guardpost.example', name: 'Ann Lee' };
const event = (id: number, verb: string, answers = true, actor = ann) =>
  ({ id, verb, at, actor, answers, detail: {} }) as unknown as HistoryEvent;
const me = { ...ann, id: 'me' };

it.each<[string, HistoryEvent, string]>([
  ['a reply', event(5, 'replied'), 'Ann Lee replied on '],
  ['a call that reached the customer', event(5, 'called'), 'Ann Lee called and reached the customer on '],
  ['an offer', event(5, 'offer_sent'), 'Ann Lee sent an offer on '],
  ['what the server does not count as an answer', event(5, 'called', false), ''],
  ['my own reply', event(5, 'replied', true, me), ''],
  ['an earlier reply', event(3, 'replied'), ''],
])('%s', (_, answer, text) => {
  const found = answeredSince([answer], 4, 'me');
  expect(found?.text.slice(0, text.length) ?? '').toBe(text);
  expect(found?.lastEvent).toBe(text ? 5 : undefined);
});
