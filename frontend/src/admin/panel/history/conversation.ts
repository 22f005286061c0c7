// The history as a conversation: what customer and office have said to each other stands out; notes
// and calls are quieter. The entries of the machine between them are folded, and so is what was
// noted before the last answer, unless a colleague may still need its words.

import type { HistoryEvent, Verb } from '../../../api/inbox';
import { counted } from '../../requests/format';

/** `quiet`: a person of the office has noted something; `machine`: all else. */
export type Voice = 'customer' | 'us' | 'quiet' | 'machine';

const voices: Record<Verb, Voice> = {
  wrote: 'customer',
  offer_accepted: 'customer',
  offer_declined: 'customer',
  settled: 'customer',
  replied: 'us',
  offer_sent: 'us',
  noted: 'quiet',
  called: 'quiet',
  phoned: 'quiet',
  edited: 'quiet',
  made_quote: 'quiet',
  set_aside: 'quiet',
  received: 'machine',
  moved: 'machine',
  assigned: 'machine',
  note_deleted: 'machine',
  emailed: 'machine',
  bounced: 'machine',
  auto_replied: 'machine',
  forwarded: 'machine',
  emailed_in: 'machine',
  held: 'machine',
  marked_spam: 'machine',
  released: 'machine',
  discarded: 'machine',
  merged: 'machine',
  merged_into: 'machine',
  separated: 'machine',
  separated_from: 'machine',
  file_added: 'machine',
  file_replaced: 'machine',
  file_removed: 'machine',
  file_deleted: 'machine',
  follow_up_set: 'machine',
  follow_up_due: 'machine',
  outcome_set: 'machine',
  offer_opened: 'machine',
  offer_reminded: 'machine',
  offer_withdrawn: 'machine',
  offer_confirmed: 'machine',
  offer_expired: 'machine',
  alarmed: 'machine',
  acknowledged: 'machine',
  passed_on: 'machine',
  escalated: 'machine',
  undone: 'machine',
};

export function voiceOf(event: HistoryEvent): Voice {
  // What was taken back was never said.
  if ('state' in event.detail && event.detail.state === 'undone') return 'machine';
  if (event.verb === 'noted' && event.detail.deleted) return 'machine';
  // What a program wrote with a mark, such as a report of spam, is said.
  if (event.verb === 'auto_replied' && event.detail.marks?.length) return 'quiet';
  return voices[event.verb] ?? 'machine';
}

/** Entries that are shown, and runs of entries that are folded. */
export type Part = { voice: Voice; event: HistoryEvent } | { folded: HistoryEvent[] };

/**
 * The parts of a history, which is newest first. `isUnsettled` entries are never folded: they can
 * be undone, or have failed. `isLive`: the request is open, so what colleagues wrote is never
 * folded.
 */
export function conversation(
  history: HistoryEvent[],
  isUnsettled: (event: HistoryEvent) => boolean,
  isLive: boolean,
): Part[] {
  const parts: Part[] = [];
  let isAnswered = false;
  for (const event of history) {
    const voice = voiceOf(event);
    const last = parts.at(-1);
    isAnswered ||= voice === 'us';
    const isPast = isAnswered && isFoldable(event, isLive);
    if (isUnsettled(event) || (voice !== 'machine' && !isPast)) parts.push({ voice, event });
    else if (last && 'folded' in last) last.folded.push(event);
    else parts.push({ folded: [event] });
  }
  return parts;
}

/** Whether an entry of a colleague is folded once the customer was answered after it. */
function isFoldable(event: HistoryEvent, isLive: boolean): boolean {
  if (voices[event.verb] !== 'quiet') return false;
  const words = event.verb === 'noted' ? event.detail.text : event.verb === 'called' ? event.detail.note : '';
  return !isLive || !words?.trim();
}

/** What a run of folded entries has: `3 notes, 2 calls, 4 changes`. */
export function foldedText(events: HistoryEvent[]): string {
  const of = (verb: Verb) => events.filter((event) => event.verb === verb && voiceOf(event) === 'quiet');
  const notes = of('noted').length;
  const calls = of('called').length;
  return [counted(notes, 'note'), counted(calls, 'call'), counted(events.length - notes - calls, 'change')]
    .filter(Boolean)
    .join(', ');
}
