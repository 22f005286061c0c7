// The warning that a colleague has answered the customer while a reply was written.

import { type EventOf, eventsOf, type HistoryEvent, type Verb } from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { dateTime, personName } from '../../requests/format';

/** A colleague's answer, and the last event that the history had with it. */
export type Answered = { text: string; lastEvent: number };

/** How a customer was answered, in words. */
const ways: Partial<Record<Verb, string>> = {
  called: 'called and reached the customer',
  offer_sent: 'sent an offer',
};

/** The sentence about an answer. */
export function answeredText(event: Pick<HistoryEvent, 'verb' | 'at' | 'actor'>): string {
  const how = ways[event.verb] ?? 'replied';
  return `${personName(event.actor)} ${how} on ${dateTime(event.at)}, after you opened this reply.`;
}

/** The last answer of a colleague after the event `seen`. */
export function answeredSince(
  history: HistoryEvent[],
  seen: number,
  me: string | undefined,
): Answered | undefined {
  const answer = history.findLast(({ id, answers, actor }) => answers && id > seen && actor?.id !== me);
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
export function firstAddress(waiting: EventOf<'wrote'> | undefined, customer: string): string {
  return (waiting && (waiting.detail.counts || !customer) && askedBy(waiting)) || customer;
}
