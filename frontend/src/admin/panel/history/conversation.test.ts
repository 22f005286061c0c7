// What of the history is the conversation, and what is folded.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox-types';
import { conversation, voiceOf } from './conversation';

const event = (verb: string, detail = {}) => ({ verb, detail }) as HistoryEvent;

it.each([
  ['wrote', {}, 'customer'],
  ['replied', { state: 'delivered' }, 'us'],
  ['replied', { state: 'undone' }, 'machine'],
  ['noted', { text: 'Gate code' }, 'quiet'],
  ['noted', { deleted: true }, 'machine'],
  ['set_aside', {}, 'quiet'],
  ['auto_replied', { marks: ['complaint'] }, 'quiet'],
  ['auto_replied', { marks: [] }, 'machine'],
  ['moved', {}, 'machine'],
] as const)('%s %j is said by %s', (verb, detail, voice) => {
  expect(voiceOf(event(verb, detail))).toBe(voice);
});

it('folds runs of what the machine says, but for what can be undone or has failed', () => {
  const failed = event('emailed', { state: 'failed' });
  const [moved, assigned, wrote] = [event('moved'), event('assigned'), event('wrote')];
  const parts = conversation([moved, assigned, wrote, failed, moved], (one) => one === failed);
  expect(parts).toEqual([
    { folded: [moved, assigned] },
    { voice: 'customer', event: wrote },
    { voice: 'machine', event: failed },
    { folded: [moved] },
  ]);
});
