// The history as a conversation: what customer and office have said to each other stands out; notes
// and calls are quieter. The entries of the machine between them are folded, and so is what was
// noted before the last answer, unless a colleague may still need its words.

import type { HistoryEvent } from '../../../api/inbox';
import { counted } from '../../requests/format';

/** `quiet`: a person of the office has noted something; `machine`: all else. */
export type Voice = 'customer' | 'us' | 'quiet' | 'machine';

const voices: Record<string, Voice> = {
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
};

export function voiceOf({ verb, detail }: Pick<HistoryEvent, 'verb' | 'detail'>): Voice {
  const { state, deleted, marks } = (detail ?? {}) as {
    state?: string;
    deleted?: unknown;
    marks?: string[];
  };
  // What was taken back was never said.
  if (state === 'undone' || deleted) return 'machine';
  // What a program wrote with a mark, such as a report of spam, is said.
  if (verb === 'auto_replied' && marks?.length) return 'quiet';
  return voices[verb] ?? 'machine';
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
function isFoldable({ verb, detail }: HistoryEvent, isLive: boolean): boolean {
  if (!['noted', 'called', 'phoned', 'edited', 'made_quote', 'set_aside'].includes(verb)) return false;
  const { text, note } = (detail ?? {}) as { text?: string | null; note?: string | null };
  return !isLive || `${text ?? ''}${note ?? ''}`.trim() === '';
}

/** What a run of folded entries has: `3 notes, 2 calls, 4 changes`. */
export function foldedText(events: HistoryEvent[]): string {
  const of = (verb: string) => events.filter((event) => event.verb === verb && voiceOf(event) === 'quiet');
  const notes = of('noted').length;
  const calls = of('called').length;
  return [counted(notes, 'note'), counted(calls, 'call'), counted(events.length - notes - calls, 'change')]
    .filter(Boolean)
    .join(', ');
}
