// The customer's newest unanswered message: shown before the facts, read in the history.

import { type EventOf, type HistoryEvent, undoneIn } from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { elapsed } from '../../requests/format';

/** The most characters of its text that are shown. */
const maxText = 140;

/** The element of an event in the history. */
export const eventElement = (id: number) => `event-${id}`;

type Props = { history: HistoryEvent[]; now: number; setAside(): void };

export function NewestMessage({ history, now, setAside }: Props) {
  const event = unansweredMessage(history);
  if (!event) return null;
  const { name, from, text = '', files = [] } = event.detail;
  const age = elapsed(event.at, now);
  const sent = files.length === 1 ? 'No text, 1 file.' : `No text, ${files.length} files.`;
  const words = text.replace(/\s+/g, ' ').trim() || (files.length ? sent : 'No text.');
  function show() {
    const entry = document.getElementById(eventElement(event?.id ?? 0));
    entry?.scrollIntoView?.({ block: 'center' });
    entry?.focus();
  }
  return (
    <section className="newest-message" aria-label="Not answered">
      <p>
        <strong>{`${name || from || 'The customer'} wrote${age === 'now' ? '' : ` ${age} ago`}.`}</strong>{' '}
        {words.length > maxText ? `${words.slice(0, maxText).trimEnd()}…` : words}
      </p>
      <Button look="quiet" className="undo" onClick={show}>
        Show it in the history
      </Button>{' '}
      <Button look="quiet" className="undo" onClick={setAside}>
        No answer needed
      </Button>
    </section>
  );
}

// Which message of a customer waits for an answer.

/** What a customer who has written does not wait after. */
function isAnswer(event: HistoryEvent): boolean {
  switch (event.verb) {
    case 'replied':
    case 'offer_sent':
      return event.detail.state !== 'undone' && event.detail.state !== 'failed';
    case 'called':
      return event.detail.outcome === 'reached';
    default:
      return event.verb === 'settled' || event.verb === 'set_aside';
  }
}

/** The newest message since the last answer that is in effect; `history` is oldest first. */
export function unansweredMessage(history: HistoryEvent[]): EventOf<'wrote'> | undefined {
  const undone = undoneIn(history);
  const last = history.findLast(
    (event) => event.verb === 'wrote' || (isAnswer(event) && !undone.has(event.id)),
  );
  return last?.verb === 'wrote' ? last : undefined;
}
