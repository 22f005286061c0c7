// An email without a request, and what can be done with it.
import { type FormEvent, useRef } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { RequestItem } from '../../api/inbox';
import {
  attachEmail,
  discardEmail,
  type MessageDetail,
  makeRequest,
  restoreEmail,
  type UnmatchedEmail,
} from '../../api/mail';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { Message } from '../panel/history/message';
import { formatDeskUrl } from '../requests/desk-url';
import { dateTime, serviceLabel } from '../requests/format';
import { undoTime } from '../requests/undo';
import { useAuth } from '../session/provider';
import { useKept } from '../ui/kept';
import { useJob } from '../ui/use-submit';
import { emailRules, QuoteForm } from './quote-form';

type Props = {
  email: UnmatchedEmail;
  /** The requests of its sender, newest first. */
  requests: RequestItem[];
  reload(): Promise<void>;
  /** Whether a quote request is being made of it. */
  making: boolean;
  setMaking(making: boolean): void;
};

export function Email({ email, requests, reload, making, setMaking }: Props) {
  const { manager } = useAuth();
  const { busy, run } = useJob('Not done');
  const [reference = '', setReference] = useKept<string>(`attach ${email.id}`);
  const row = useRef<HTMLLIElement>(null);
  const read = email.detail as MessageDetail;
  // Of one that was set aside unread, nothing is known.
  const marks: MessageDetail['marks'] = Object.keys(read).length > 0 ? read.marks : ['unreadable'];
  const detail: MessageDetail = { ...read, marks, email: email.id, known: undefined };

  /** Does `job`; where the row goes away, the focus goes to the next. */
  async function act(job: (token: string) => Promise<unknown>, done: () => void) {
    const next = row.current?.nextElementSibling ?? row.current?.previousElementSibling;
    await run(async () => {
      await manager.withToken(job);
      done();
    });
    await reload();
    if (!row.current?.isConnected) next?.querySelector('h2')?.focus();
  }

  function attach(to: string) {
    act(
      (token) => attachEmail(token, email.id, to),
      () => {
        const href = formatDeskUrl({ view: 'everything', filters: {}, request: to });
        setReference(undefined);
        toast({ title: `Attached to ${to}`, detail: <a href={href}>Open the request</a> });
      },
    );
  }

  const restore = () =>
    act(
      (token) => restoreEmail(token, email.id),
      () => toast({ title: 'Taken back', detail: 'It is among the emails from people again.' }),
    );

  const discard = () =>
    act(
      (token) => discardEmail(token, email.id),
      () => {
        const undo = (
          <Button look="quiet" className="undo" onClick={restore}>
            Undo
          </Button>
        );
        toast({ title: 'Discarded', detail: undo, duration: undoTime });
      },
    );

  function made(request: string) {
    const { title = '', detail = '' } = emailRules.outcomes.sent ?? {};
    toast({ title, detail });
    navigate(formatDeskUrl({ view: 'quotes', filters: {}, request }));
  }

  const make = () =>
    act(
      async (token) => {
        const { id } = await makeRequest(token, email.id);
        navigate(`/admin?view=messages&request=${id}`);
      },
      () => toast({ title: 'New request made' }),
    );

  return (
    <li ref={row} className="unmatched-email">
      <div className="unmatched-head">
        <h2 tabIndex={-1}>{detail.subject || 'No subject'}</h2>
        <p className="muted">
          {[detail.name, detail.from].filter(Boolean).join(', ') || 'No sender'},{' '}
          {dateTime(email.received_at)}
        </p>
      </div>
      <Message detail={detail} />
      {email.discarded ? null : <Suggestions {...{ requests, busy, attach }} />}
      <form
        className="unmatched-actions"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          attach(reference.trim().toUpperCase());
        }}
      >
        <label>
          <span className="visually-hidden">Reference of the request</span>
          <input
            className="input"
            placeholder="GP-2K7Q"
            value={reference}
            required
            autoComplete="off"
            onInput={(event) => setReference(event.currentTarget.value)}
          />
        </label>
        <Button type="submit" look="line" className="button-small" disabled={busy}>
          Attach
        </Button>
        <Button
          look="line"
          className="button-small"
          disabled={busy}
          aria-expanded={making}
          onClick={() => setMaking(!making)}
        >
          Quote request
        </Button>
        <Button look="line" className="button-small" disabled={busy} onClick={make}>
          Contact message
        </Button>
        <Button
          look="quiet"
          className="button-small"
          disabled={busy}
          onClick={email.discarded ? restore : discard}
        >
          {email.discarded ? 'Take back' : 'Discard'}
        </Button>
      </form>
      {making ? <QuoteForm email={email.id} made={made} close={() => setMaking(false)} /> : null}
    </li>
  );
}

type SuggestionProps = Pick<Props, 'requests'> & { busy: boolean; attach(to: string): void };

/** The sender's own requests, to which the email is attached by one press. */
function Suggestions({ requests, busy, attach }: SuggestionProps) {
  if (!requests.length) return null;
  return (
    <div className="unmatched-actions">
      {requests.map((request, at) => (
        <Button
          key={request.id}
          look={at === 0 ? 'ink' : 'line'}
          className="button-small"
          disabled={busy}
          onClick={() => attach(request.reference)}
        >
          {`Attach to ${request.reference}: ${[serviceLabel(request), request.location].filter(Boolean).join(', ')}`}
        </Button>
      ))}
    </div>
  );
}
