// How many requests some queries find, kept current while the dashboard is open.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type InboxQuery, listRequests } from '../../api/inbox';
import type { Status } from '../../api/quotes';
import { coalesce } from '../live/coalesce';
import { useLive } from '../live/use-live';
import { totalCount } from '../requests/request-list-state';
import { useAuth } from '../session/provider';

export type Count = { count: number; atLeast: boolean };

/** Milliseconds between two readings in a flood of changes. */
const pause = 3000;

/** A count for each query, in their order; undefined until all are known. */
export function useCounts(queries: readonly InboxQuery[]): Count[] | undefined {
  const { manager } = useAuth();
  const [counts, setCounts] = useState<Count[]>();
  const latest = useRef(queries);
  latest.current = queries;
  const read = useMemo(
    () =>
      coalesce<void>(async () => {
        const asked = latest.current;
        const ask = async (query: InboxQuery): Promise<Count> => {
          const page = await manager.withToken(listRequests, { limit: '1', ...query });
          // A page that holds all of them is counted exactly.
          if (!page.next_cursor) return { count: page.requests.length, atLeast: false };
          const { counts } = page;
          const count = query.status ? counts[query.status as Status] : totalCount(counts);
          return { count, atLeast: page.counts_at_least };
        };
        try {
          const read = await Promise.all(asked.map(ask));
          if (asked === latest.current) setCounts(read);
        } catch {
          // The list says that the server cannot be reached.
        }
        await new Promise((done) => setTimeout(done, pause));
      }),
    [manager],
  );
  const again = useCallback(() => (latest.current.length > 0 ? read([]) : undefined), [read]);
  useEffect(again, [again, queries]);
  useLive(again);
  // Time alone makes requests overdue.
  useEffect(() => {
    const timer = setInterval(again, 60_000);
    return () => clearInterval(timer);
  }, [again]);
  return counts?.length === queries.length ? counts : undefined;
}
