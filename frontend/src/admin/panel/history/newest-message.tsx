// The customer's newest unanswered message: shown before the facts, read in the history.

import { type EventOf, eventsOf, type RequestDetail } from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { elapsed } from '../../requests/format';

/** The most characters of its text that are shown. */
const maxText = 140;

/** The element of an event in the history. */
export const eventElement = (id: number) => `event-${id}`;

type Props = { detail: RequestDetail | undefined; now: number; setAside(): void };

export function NewestMessage({ detail, now, setAside }: Props) {
  const event = unansweredMessage(detail);
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

/** The customer's newest message that waits for an answer. */
export function unansweredMessage(detail: RequestDetail | undefined): EventOf<'wrote'> | undefined {
  return eventsOf(detail?.history ?? [], 'wrote').find(({ id }) => id === detail?.newest_unanswered);
}
