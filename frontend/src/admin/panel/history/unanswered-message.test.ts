// Which message of a customer waits for an answer.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox';
import { unansweredMessage } from './newest-message';

const event = (verb: string, detail: unknown = {}, id = 1) => ({ id, verb, detail }) as HistoryEvent;
const wrote = event('wrote', {}, 7);

it.each<[string, HistoryEvent[], number | undefined]>([
  ['nothing was written', [event('received')], undefined],
  ['nobody answered', [event('received'), wrote, event('noted'), event('auto_replied')], 7],
  ['two came', [event('wrote', {}, 6), wrote], 7],
  ['an offer was asked about', [event('offer_sent'), event('wrote', { via: 'offer' }, 7)], 7],
  ['it is answered by an offer', [wrote, event('offer_sent')], undefined],
  ['it is answered by email', [wrote, event('replied', { state: 'delivered' })], undefined],
  ['the reply was undone', [wrote, event('replied', { state: 'undone' })], 7],
  ['the reply came back', [wrote, event('replied', { state: 'failed' })], 7],
  ['the customer was reached', [wrote, event('called', { outcome: 'reached' })], undefined],
  ['nobody picked up', [wrote, event('called', { outcome: 'no_answer' })], 7],
  ['a person has set it aside', [wrote, event('set_aside', {}, 8)], undefined],
  ['that was undone', [wrote, event('set_aside', {}, 8), event('undone', { event: 8 }, 9)], 7],
  ['the customer says that it is settled', [wrote, event('settled')], undefined],
])('finds it where %s', (_, history, expected) => {
  expect(unansweredMessage(history)?.id).toBe(expected);
});
