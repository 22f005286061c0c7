// Emails that belong to no request: each is attached to one, becomes a new one, or is discarded.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listRequests, type RequestItem, type ViewCounts } from '../../api/inbox';
import {
  listUnmatched,
  type MessageDetail,
  type UnmatchedEmail,
  type UnmatchedEmails,
  type UnmatchedList,
} from '../../api/mail';
import { Views } from '../filters/views';
import { useLive } from '../live/live-provider';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { coalesce } from '../ui/use-attempt';
import { errorMessage } from '../ui/use-submit';
import { Waiting } from '../ui/waiting';
import { Email } from './email';

const lists: [UnmatchedList, string][] = [
  ['', 'From people'],
  ['automatic', 'Automatic'],
  ['discarded', 'Discarded'],
];

/** How many emails each list has. */
const totalOf = { '': 'count', automatic: 'automatic', discarded: 'discarded' } as const;

const empty: Record<UnmatchedList, string> = {
  '': 'Every email belongs to a request.',
  automatic: 'No automatic email is without a request.',
  discarded: 'Nothing was discarded.',
};

/** How often the list is read, in milliseconds. */
const interval = 15_000;

export function Unmatched() {
  const [show, setShow] = useState<UnmatchedList>('');
  const [making, setMaking] = useState<string>();
  const { found, totals, alert, load } = useEmails(show);
  useLive(load);
  const counts = useCounts(found?.count);
  const requests = useRequestsOfSenders(show ? [] : (found?.emails ?? []));
  return (
    <div className="unmatched">
      <div className="queue-top">
        <Heading>Unmatched</Heading>
      </div>
      <Views here="unmatched" counts={counts} />
      <nav className="filters" aria-label="Emails">
        {lists.map(([list, name]) => (
          <button
            key={list}
            type="button"
            aria-current={show === list ? 'true' : undefined}
            onClick={() => setShow(list)}
          >
            {name}{' '}
            <span className="filter-count">{totals?.[totalOf[list]].toLocaleString('en-US') ?? ' '}</span>
          </button>
        ))}
      </nav>
      <p className="muted">
        Emails that belong to no request. Attach each to its request, make a new one of it, or discard it.
      </p>
      {found ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={load} />}
      {found && found.emails.length === 0 ? (
        <div className="empty">
          <p>{empty[show]}</p>
        </div>
      ) : null}
      <ul className="unmatched-emails">
        {found?.emails.map((email) => (
          <Email
            key={email.id}
            email={email}
            requests={sendersOf(email)
              .flatMap((sender) => requests[sender] ?? [])
              .slice(0, maxRequests)}
            reload={load}
            making={making === email.id}
            setMaking={(open) => setMaking(open ? email.id : undefined)}
          />
        ))}
      </ul>
    </div>
  );
}

/** The emails of a list, read again and again. */
function useEmails(show: UnmatchedList) {
  const { manager } = useAuth();
  const [read, setRead] = useState<{ show: UnmatchedList; emails: UnmatchedEmails }>();
  const [alert, setAlert] = useState('');
  const wanted = useRef(show);
  wanted.current = show;
  const readInTurn = useMemo(
    () =>
      coalesce<() => void>(async (done) => {
        const show = wanted.current;
        try {
          const emails = await manager.withToken(listUnmatched, show);
          if (show === wanted.current) {
            setRead({ show, emails });
            setAlert('');
          }
        } catch (error) {
          setAlert(errorMessage(error));
        }
        for (const each of done) each();
      }),
    [manager],
  );
  /** Reads the wanted list; resolves after a reading that begins now or later. */
  const load = useCallback(() => new Promise<void>((done) => readInTurn([done])), [readInTurn]);
  useEffect(() => void load(), [load, show]);
  useEffect(() => {
    const timer = setInterval(load, interval);
    return () => clearInterval(timer);
  }, [load]);
  return { found: read?.show === show ? read.emails : undefined, totals: read?.emails, alert, load };
}

/** The numbers of the views, read again when that of the emails changes. */
function useCounts(unmatched: number | undefined): ViewCounts | undefined {
  const { manager } = useAuth();
  const [counts, setCounts] = useState<ViewCounts>();
  useEffect(() => {
    if (unmatched === undefined) return;
    // Without them the views are there all the same.
    manager.withToken(listRequests, { limit: '1' }).then(
      ({ views }) => setCounts(views),
      () => {},
    );
  }, [manager, unmatched]);
  return counts;
}

// The requests of those who have written emails without one: most belong to the newest of them.

/** The most senders that are looked up, and the most requests of each that are offered. */
const maxSenders = 30;
const maxRequests = 3;

/** The author, and the person to answer: a portal writes for one. */
function sendersOf({ detail }: UnmatchedEmail): string[] {
  const { reply_to: answered, from } = detail as MessageDetail;
  return [answered, from].flatMap((address) => address?.toLowerCase() || []);
}

/** The newest requests of each sender, by the address in lower case. */
function useRequestsOfSenders(emails: UnmatchedEmail[]): Record<string, RequestItem[]> {
  const { manager } = useAuth();
  const [found, setFound] = useState<Record<string, RequestItem[]>>({});
  const asked = useRef(new Set<string>());
  const senders = [...new Set(emails.flatMap(sendersOf))].slice(0, maxSenders);
  const key = senders.join(' ');
  useEffect(() => {
    async function look() {
      for (const sender of key.split(' ').filter(Boolean)) {
        if (asked.current.has(sender)) continue;
        asked.current.add(sender);
        const { requests } = await manager.withToken(listRequests, { q: sender, limit: '10' });
        const theirs = requests.filter(({ email }) => email.toLowerCase() === sender);
        setFound((now) => ({ ...now, [sender]: theirs.slice(0, maxRequests) }));
      }
    }
    // The reference can be typed all the same.
    look().catch(() => {});
  }, [manager, key]);
  return found;
}
