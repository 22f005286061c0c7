// The warning that a colleague has answered the customer while a reply was written.

import { type EventOf, eventsOf, type HistoryEvent, undoneIn } from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { dateTime, personName } from '../../requests/format';
import { unansweredMessage } from '../history/newest-message';

/** A colleague's answer, and the last event that the history had with it. */
export type Answered = { text: string; lastEvent: number };

/** The sentence about an answer. */
export function answeredText(event: Pick<HistoryEvent, 'verb' | 'at' | 'actor'>): string {
  const how = event.verb === 'called' ? 'called and reached the customer' : 'replied';
  return `${personName(event.actor)} ${how} on ${dateTime(event.at)}, after you opened this reply.`;
}

/**
 * The last answer of a colleague after the event `seen`. The server has the same rule, and the last
 * word: `answered_since` in `src/store/inbox/replies.rs`.
 */
export function answeredSince(
  history: HistoryEvent[],
  seen: number,
  me: string | undefined,
): Answered | undefined {
  const undone = undoneIn(history);
  const isAnswer = (event: HistoryEvent) => {
    if (event.id <= seen || event.actor?.id === me || undone.has(event.id)) return false;
    if (event.verb === 'called') return event.detail.outcome === 'reached';
    return event.verb === 'replied' && !['undone', 'failed'].includes(event.detail.state);
  };
  const answer = history.filter(isAnswer).at(-1);
  return answer && { text: answeredText(answer), lastEvent: lastEvent(history) };
}

/** The id of the last event of a history. */
export function lastEvent(history: HistoryEvent[]): number {
  return Math.max(0, ...history.map(({ id }) => id));
}

type Props = { answered: Answered; sendAnyway(): void };

export function AnsweredWarning({ answered, sendAnyway }: Props) {
  return (
    <div className="alert answered-since" role="alert">
      <p>{answered.text} Read the history first.</p>
      <Button look="line" className="button-small" onClick={sendAnyway}>
        Send anyway
      </Button>
    </div>
  );
}

/** The address at which a message asks for its answer (Reply-To). */
const askedBy = ({ detail }: EventOf<'wrote'>) => detail.reply_to ?? '';

/** To which addresses a reply may go: the customer's first, then those of messages; each once. */
export function answerAddresses(history: HistoryEvent[], customer: string): string[] {
  const asked = eventsOf(history, 'wrote').map(askedBy);
  const all = [customer, ...asked.reverse()].filter(Boolean);
  const seen = new Set<string>();
  return all.filter((address) => !seen.has(address.toLowerCase()) && seen.add(address.toLowerCase()));
}

/**
 * The address that is chosen at first: that of the message which waits if it is verified that the
 * customer wrote it. Others may ask for an answer to them.
 */
export function firstAddress(history: HistoryEvent[], customer: string): string {
  const waiting = unansweredMessage(history);
  return (waiting && (waiting.detail.counts || !customer) && askedBy(waiting)) || customer;
}
