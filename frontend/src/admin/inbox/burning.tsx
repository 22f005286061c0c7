// What burns: the emergencies that wait for a call and what is overdue, each a way to its list.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type InboxQuery, listRequests } from '../../api/inbox';
import { coalesce } from '../live/coalesce';
import { useLive } from '../live/use-live';
import { formatDeskUrl } from '../requests/desk-url';
import { totalCount } from '../requests/request-list-state';
import { useAuth } from '../session/provider';

type Count = { count: number; atLeast: boolean };

/** Milliseconds between two readings in a flood of changes. */
const pause = 3000;

const overdueQuery: InboxQuery = { overdue: 'true', limit: '1' };
const emergencyQuery: InboxQuery = { attention: 'true', emergency: 'true', limit: '1' };

export function Burning() {
  const counts = useCounts();
  if (!counts) return <p className="burning" />;
  const { emergencies, overdue } = counts;
  if (emergencies.count + overdue.count === 0)
    return <p className="burning muted">No emergency waits, and nothing is overdue.</p>;
  return (
    <p className="burning">
      {emergencies.count ? (
        <a className="burning-now" href={formatDeskUrl({ ...attention, filters: { emergency: 'true' } })}>
          {text(emergencies, 'emergency open', 'emergencies open')}
        </a>
      ) : null}
      {overdue.count ? (
        <a href={formatDeskUrl({ ...attention, filters: { overdue: 'true' } })}>
          {text(overdue, 'overdue', 'overdue')}
        </a>
      ) : null}
    </p>
  );
}

const attention = { view: 'attention', request: undefined } as const;

function text({ count, atLeast }: Count, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')}${atLeast ? '+' : ''} ${many}`;
}

function useCounts() {
  const { manager } = useAuth();
  const [counts, setCounts] = useState<{ emergencies: Count; overdue: Count }>();
  const read = useMemo(
    () =>
      coalesce<void>(async () => {
        const ask = async (query: InboxQuery): Promise<Count> => {
          const page = await manager.withToken((token) => listRequests(token, query));
          return { count: totalCount(page.counts), atLeast: page.counts_at_least };
        };
        try {
          const [emergencies, overdue] = await Promise.all([ask(emergencyQuery), ask(overdueQuery)]);
          setCounts({ emergencies, overdue });
        } catch {
          // The list says that the server cannot be reached.
        }
        await new Promise((done) => setTimeout(done, pause));
      }),
    [manager],
  );
  const again = useCallback(() => read([]), [read]);
  useEffect(again, [again]);
  useLive(again);
  // Time alone makes requests overdue.
  useEffect(() => {
    const timer = setInterval(again, 60_000);
    return () => clearInterval(timer);
  }, [again]);
  return counts;
}
