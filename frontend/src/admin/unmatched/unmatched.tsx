// Emails that belong to no request: each is attached to one, becomes a new one, or is discarded.
import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import {
  attachEmail,
  discardEmail,
  listUnmatched,
  type MessageDetail,
  makeRequest,
  restoreEmail,
  type UnmatchedEmail,
  type UnmatchedEmails,
  type UnmatchedList,
} from '../../api/mail';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { Message } from '../panel/message';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { errorMessage } from '../ui/use-submit';

const lists: [UnmatchedList, string][] = [
  ['', 'From people'],
  ['automatic', 'Automatic'],
  ['discarded', 'Discarded'],
];
/** How often the list is read, in milliseconds. */
const interval = 15_000;

export function Unmatched() {
  const { manager } = useAuth();
  const [show, setShow] = useState<UnmatchedList>('');
  const [found, setFound] = useState<UnmatchedEmails>();
  const [alert, setAlert] = useState('');
  const load = useCallback(
    () =>
      manager
        .withToken((token) => listUnmatched(token, show))
        .then(
          (emails) => {
            setFound(emails);
            setAlert('');
          },
          (error) => setAlert(errorMessage(error)),
        ),
    [manager, show],
  );
  useEffect(() => {
    load();
    const timer = setInterval(load, interval);
    return () => clearInterval(timer);
  }, [load]);
  return (
    <div className="unmatched">
      <Heading>Unmatched</Heading>
      <p className="muted">
        Emails that belong to no request. Attach each to its request, make a new one of it, or discard it.
      </p>
      <nav className="views" aria-label="Emails">
        {lists.map(([list, name]) => (
          <Button
            key={list}
            look="line"
            className="button-small"
            aria-pressed={show === list}
            onClick={() => setShow(list)}
          >
            {name}
          </Button>
        ))}
      </nav>
      <FormAlert text={alert} />
      {found ? null : <p role="status">Loading</p>}
      {found && found.emails.length === 0 ? <p>No emails here.</p> : null}
      <ul className="things">
        {found?.emails.map((email) => (
          <Email key={email.id} email={email} reload={load} />
        ))}
      </ul>
    </div>
  );
}

function Email({ email, reload }: { email: UnmatchedEmail; reload(): void }) {
  const { manager } = useAuth();
  const [busy, setBusy] = useState(false);
  const [reference, setReference] = useState('');
  const detail = { ...(email.detail as MessageDetail), email: email.id, known: undefined };

  async function act(title: string, job: (token: string) => Promise<unknown>) {
    setBusy(true);
    try {
      await manager.withToken(job);
      toast({ title });
    } catch (error) {
      toast({ title: 'Not done', detail: errorMessage(error), destructive: true });
    } finally {
      setBusy(false);
      reload();
    }
  }

  function attach(event: FormEvent) {
    event.preventDefault();
    act(`Attached to ${reference.toUpperCase()}`, (token) => attachEmail(token, email.id, reference));
  }

  const make = () =>
    act('New request made', async (token) => {
      const { id } = await makeRequest(token, email.id);
      navigate(`/admin?view=messages&request=${id}`);
    });
  return (
    <li className="unmatched-email">
      <h2>{detail.subject || 'No subject'}</h2>
      <p className="muted">
        {[detail.name, detail.from].filter(Boolean).join(', ') || 'No sender'}, {dateTime(email.received_at)}
      </p>
      <Message detail={detail} />
      <form className="unmatched-actions" onSubmit={attach}>
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
        <Button type="submit" className="button-small" disabled={busy}>
          Attach
        </Button>
        <Button look="line" className="button-small" disabled={busy} onClick={make}>
          New request
        </Button>
        {email.discarded ? (
          <Button
            look="quiet"
            className="button-small"
            disabled={busy}
            onClick={() => act('It is back', (token) => restoreEmail(token, email.id))}
          >
            Take back
          </Button>
        ) : (
          <Button
            look="quiet"
            className="button-small"
            disabled={busy}
            onClick={() => act('Discarded', (token) => discardEmail(token, email.id))}
          >
            Discard
          </Button>
        )}
      </form>
    </li>
  );
}
