// The warning that a colleague has answered the customer while a reply was written.
import type { HistoryEvent } from '../../../api/inbox-types';
import { Button } from '../../../ui/button';
import { dateTime, personName } from '../../requests/format';

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
  const undone = history
    .filter(({ verb }) => verb === 'undone')
    .map(({ detail }) => (detail as { event?: number }).event);
  const isAnswer = ({ id, verb, actor, detail }: HistoryEvent) => {
    if (id <= seen || actor?.id === me || undone.includes(id)) return false;
    const { state, outcome } = detail as { state?: string; outcome?: string };
    if (verb === 'called') return outcome === 'reached';
    return verb === 'replied' && state !== 'undone' && state !== 'failed';
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
