// Which message of a customer waits for an answer.
import type { HistoryEvent } from '../../api/inbox-types';

/** What a customer who has written does not wait after. */
function isAnswer({ verb, detail }: HistoryEvent): boolean {
  const { outcome, state } = (detail ?? {}) as { outcome?: string; state?: string };
  if (verb === 'replied') return state !== 'undone' && state !== 'failed';
  return verb === 'settled' || (verb === 'called' && outcome === 'reached');
}

/** The newest message since the last answer; `history` is oldest first. */
export function unansweredMessage(history: HistoryEvent[]): HistoryEvent | undefined {
  const last = history.findLast((event) => event.verb === 'wrote' || isAnswer(event));
  return last?.verb === 'wrote' ? last : undefined;
}
