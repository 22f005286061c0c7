// What of the history is the conversation, and what is folded.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox';
import { conversation, foldedText, voiceOf } from './conversation';

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
  const parts = conversation([moved, assigned, wrote, failed, moved], (one) => one === failed, true);
  expect(parts).toEqual([
    { folded: [moved, assigned] },
    { voice: 'customer', event: wrote },
    { voice: 'machine', event: failed },
    { folded: [moved] },
  ]);
});

const [noted, called, edited, replied] = [
  event('noted', { text: 'Gate code' }),
  event('called', { outcome: 'voicemail', note: null }),
  event('edited'),
  event('replied', { state: 'delivered' }),
];
const settled = () => false;

it('shows what colleagues noted since the last answer, and folds calls and changes before it', () => {
  const history = [called, noted, replied, edited, called, event('moved')];
  expect(conversation(history, settled, true)).toEqual([
    { voice: 'quiet', event: called },
    { voice: 'quiet', event: noted },
    { voice: 'us', event: replied },
    { folded: [edited, called, event('moved')] },
  ]);
});

it('never folds the words of a colleague while the request is open', () => {
  const heard = event('called', { outcome: 'reached', note: 'Ask for Zoë' });
  const parts = (isLive: boolean) => conversation([replied, noted, heard], settled, isLive).slice(1);
  expect(parts(true)).toEqual([
    { voice: 'quiet', event: noted },
    { voice: 'quiet', event: heard },
  ]);
  expect(parts(false)).toEqual([{ folded: [noted, heard] }]);
});

it('never folds a report of spam', () => {
  const complaint = event('auto_replied', { marks: ['complaint'] });
  expect(conversation([replied, complaint], settled, false)[1]).toEqual({ voice: 'quiet', event: complaint });
});

it('counts what is folded', () => {
  expect(foldedText([noted, noted, noted, called, event('moved'), edited])).toBe(
    '3 notes, 1 call, 2 changes',
  );
  expect(foldedText([event('noted', { deleted: true })])).toBe('1 change');
});
