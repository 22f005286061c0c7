// Which answers of colleagues a reply warns of.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox';
import { answeredSince } from './answered-since';

const at = '2026-11-21T12:00:00.000Z';
const ann = { id: 'ann', email: 'ann@guardpost.example', name: 'Ann Lee' };
const event = (id: number, verb: string, detail = {}, actor = ann) =>
  ({ id, verb, at, actor, detail }) as HistoryEvent;
const me = { id: 'me', email: 'me@guardpost.example' };

it.each<[string, HistoryEvent[], boolean]>([
  ['a reply', [event(5, 'replied', { state: 'queued' })], true],
  ['a call that reached the customer', [event(5, 'called', { outcome: 'reached' })], true],
  ['a voicemail', [event(5, 'called', { outcome: 'voicemail' })], false],
  ['an undone reply', [event(5, 'replied', { state: 'undone' })], false],
  ['a reply that has failed', [event(5, 'replied', { state: 'failed' })], false],
  ['an undone call', [event(5, 'called', { outcome: 'reached' }), event(6, 'undone', { event: 5 })], false],
  ['my own reply', [event(5, 'replied', {}, { ...ann, ...me })], false],
  ['an earlier reply', [event(3, 'replied')], false],
  ['a note', [event(5, 'noted', { text: 'x' })], false],
])('%s', (_, history, warns) => {
  const found = answeredSince(history, 4, 'me');
  expect(found !== undefined).toBe(warns);
  if (found) expect(found.text).toMatch(/^Ann Lee (replied|called and reached the customer) on /);
  if (found) expect(found.lastEvent).toBe(5);
});
