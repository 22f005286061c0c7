// The history as a conversation: what customer and office have said to each other stands out; notes
// and calls are quieter, and the entries of the machine between them are folded.
import type { HistoryEvent } from '../../../api/inbox-types';

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

/** `isOpen` entries are never folded: they can be undone, or have failed. */
export function conversation(history: HistoryEvent[], isOpen: (event: HistoryEvent) => boolean): Part[] {
  const parts: Part[] = [];
  for (const event of history) {
    const voice = voiceOf(event);
    const last = parts.at(-1);
    if (voice !== 'machine' || isOpen(event)) parts.push({ voice, event });
    else if (last && 'folded' in last) last.folded.push(event);
    else parts.push({ folded: [event] });
  }
  return parts;
}
