// The history of a request, newest first: who did what and when, and how its emails fare.
import {
  deleteNote,
  type EventOf,
  type HistoryEvent,
  type RequestItem,
  resendEmail,
} from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { toast } from '../../../ui/toast';
import { ago, isOpen, personName } from '../../requests/format';
import { useAuth } from '../../session/provider';
import { useActions, useDesk } from '../../state/use-desk';
import { errorToast, useJob } from '../../ui/use-submit';
import { Waiting } from '../../ui/waiting';
import { CallableText } from '../callable-text';
import { conversation, foldedText, type Voice, voiceOf } from './conversation';
import { describeEvent } from './describe-event';
import { ForwardForm } from './forward-form';
import { Message } from './message';
import { eventElement } from './newest-message';

const classOf: Record<Voice, string> = {
  customer: 'from-customer',
  us: 'from-us',
  quiet: 'entry-quiet',
  machine: 'entry-machine',
};

export function Timeline({ request }: { request: RequestItem }) {
  const { open, now } = useDesk();
  const history = open.detail?.history;
  const isUnsettled = (event: HistoryEvent) =>
    describeEvent(event, now).failed === true ||
    (event.undoable_until != null && Date.parse(event.undoable_until) > now);
  return (
    <section aria-labelledby="history-title">
      <h3 id="history-title">Conversation and history</h3>
      {history ? null : (
        <Waiting problem={open.failed ? 'The history could not be loaded.' : ''} retry={open.reload} />
      )}
      <ol className="timeline">
        {conversation(sorted(history ?? []), isUnsettled, isOpen(request)).map((part) => {
          if (!('folded' in part)) return <Entry key={keyOf(part.event)} {...part} request={request.id} />;
          const [first] = part.folded;
          return first ? <Folded key={keyOf(first)} events={part.folded} request={request.id} /> : null;
        })}
        {history?.some(({ verb }) => verb === 'received') ? null : (
          <li>
            <p>Received</p>
            <p className="muted">{ago(request.created_at, now)}</p>
          </li>
        )}
      </ol>
    </section>
  );
}

const keyOf = ({ duplicate, id }: HistoryEvent) => `${duplicate} ${id}`;

/** Entries that are one press away. */
function Folded({ events, request }: { events: HistoryEvent[]; request: string }) {
  const { now } = useDesk();
  const [first] = events;
  const isOne = events.length === 1 && first;
  return (
    <li className="timeline-folded">
      <details>
        <summary>{isOne ? describeEvent(first, now).text : foldedText(events)}</summary>
        <ol>
          {events.map((event) => (
            <Entry key={keyOf(event)} voice={voiceOf(event)} event={event} request={request} />
          ))}
        </ol>
      </details>
    </li>
  );
}

/** Whether an event has the words of a customer, or of a program that answered for them. */
function isMessage(event: HistoryEvent): event is EventOf<'wrote' | 'auto_replied'> {
  return event.verb === 'wrote' || event.verb === 'auto_replied';
}

/** Events of the same millisecond keep the server's order, reversed. */
function sorted(history: HistoryEvent[]): HistoryEvent[] {
  return [...history].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).reverse();
}

/** `request` is the id of the open request. */
type EntryProps = { voice: Voice; event: HistoryEvent; request: string };

function Entry({ voice, request, event }: EntryProps) {
  const { user } = useAuth();
  const { open, now, actions } = useDesk();
  const { reload } = open;
  const { text, body, delivery, failed, emailId } = describeEvent(event, now);
  const isOwn = event.actor?.id === user?.id && !event.duplicate;
  const ownNote = event.verb === 'noted' && body && isOwn;
  const undoable = event.undoable_until && Date.parse(event.undoable_until) > now;
  return (
    <li id={eventElement(event.id)} tabIndex={-1} className={classOf[voice]}>
      <p>
        {event.actor ? <strong>{personName(event.actor)}</strong> : null} {text}
        {event.duplicate ? <span className="muted"> ({event.duplicate})</span> : null}
      </p>
      {isMessage(event) ? <Message detail={event.detail} /> : null}
      {body ? (
        <p className="panel-words">
          <CallableText text={body} />
        </p>
      ) : null}
      {delivery ? <p className={failed ? 'delivery failed' : 'delivery'}>{delivery}</p> : null}
      {emailId ? <Resend emailId={emailId} reload={reload} /> : null}
      <p className="muted entry-foot">
        <time dateTime={event.at}>{ago(event.at, now)}</time>
        {undoable ? (
          <Button look="quiet" className="undo" onClick={() => actions.undoEvent(event.id)}>
            Undo
          </Button>
        ) : null}
        {isMessage(event) ? <ForwardForm request={request} event={event.id} reload={reload} /> : null}
        {ownNote ? <DeleteNote request={request} note={event.id} reload={reload} /> : null}
      </p>
    </li>
  );
}

function Resend({ emailId, reload }: { emailId: string; reload(): void }) {
  const { manager } = useAuth();
  const { busy, run } = useJob('Not sent');
  const resend = () =>
    run(async () => {
      await manager.withToken(resendEmail, emailId);
      toast({ title: 'The email is sent again' });
      reload();
    });
  return (
    <Button look="line" className="button-small" disabled={busy} onClick={resend}>
      Send again
    </Button>
  );
}

function DeleteNote({ request, note, reload }: { request: string; note: number; reload(): void }) {
  const { manager } = useAuth();
  const { offer } = useActions();
  async function remove() {
    await manager.withToken(deleteNote, request, note).then(({ id: event }) => {
      const change = { id: request, event, undone: 'The note is back.', after: reload };
      offer('Note deleted', 'It is gone from the history.', change);
    }, errorToast('Not deleted'));
    reload();
  }
  return (
    <Button look="quiet" className="undo" onClick={remove}>
      Delete<span className="visually-hidden"> this note</span>
    </Button>
  );
}
