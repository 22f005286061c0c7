// Which message of a customer waits for an answer.
import type { HistoryEvent } from '../../../api/inbox-types';

/** Whether the customer has written: an email, on the status page, or about an offer. */
const isWritten = ({ verb }: HistoryEvent) => verb === 'wrote' || verb === 'offer_asked';

/** What a customer who has written does not wait after. */
function isAnswer({ verb, detail }: HistoryEvent): boolean {
  const { outcome, state } = (detail ?? {}) as { outcome?: string; state?: string };
  if (verb === 'replied' || verb === 'offer_sent') return state !== 'undone' && state !== 'failed';
  return verb === 'settled' || verb === 'set_aside' || (verb === 'called' && outcome === 'reached');
}

/** The newest message since the last answer that is in effect; `history` is oldest first. */
export function unansweredMessage(history: HistoryEvent[]): HistoryEvent | undefined {
  const undone = new Set(
    history
      .filter(({ verb }) => verb === 'undone')
      .map(({ detail }) => (detail as { event?: number })?.event),
  );
  const last = history.findLast((event) => isWritten(event) || (isAnswer(event) && !undone.has(event.id)));
  return last && isWritten(last) ? last : undefined;
}
