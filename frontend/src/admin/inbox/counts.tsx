// How many requests some queries find, kept current while the dashboard is open.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type InboxQuery,
  listCallClicks,
  listRequests,
  type SavedFilter,
  type Status,
} from '../../api/inbox';
import { useAlarms } from '../alarm/alarm-provider';
import { isShown } from '../filters/saved-filters';
import { useLive } from '../live/live-provider';
import { type DeskUrl, formatDeskUrl, listQuery, parseDeskUrl, unsorted } from '../requests/desk-url';
import { countText } from '../requests/format';
import { countOf, type RequestsState } from '../requests/request-list-state';
import { useAuth } from '../session/provider';
import { useRead } from '../session/use-read';
import type { Desk } from '../state/use-desk';
import { Popover } from '../ui/popover';
import { coalesce, useCoalesced } from '../ui/use-attempt';

type Count = ReturnType<typeof countOf>;

/** Milliseconds between two readings in a flood of changes. */
const pause = 3000;

/** A count for each query, in their order; undefined until all are known. */
function useCounts(queries: readonly InboxQuery[]): Count[] | undefined {
  const { manager } = useAuth();
  const [counts, setCounts] = useState<Count[]>();
  const latest = useRef(queries);
  latest.current = queries;
  const read = useCoalesced(async () => {
    const asked = latest.current;
    const ask = async (query: InboxQuery): Promise<Count> =>
      countOf(
        await manager.withToken(listRequests, { limit: '1', ...query }),
        query.status as Status | undefined,
      );
    try {
      const read = await Promise.all(asked.map(ask));
      if (asked === latest.current) setCounts(read);
    } catch {
      // The list says that the server cannot be reached.
    }
    await new Promise((done) => setTimeout(done, pause));
  });
  const again = useCallback(() => (latest.current.length > 0 ? read() : undefined), [read]);
  useEffect(again, [again, queries]);
  useLive(again);
  // Time alone makes requests overdue.
  useEffect(() => {
    const timer = setInterval(again, 60_000);
    return () => clearInterval(timer);
  }, [again]);
  return counts?.length === queries.length ? counts : undefined;
}

const queries: readonly InboxQuery[] = [{ attention: 'true', emergency: 'true' }, { overdue: 'true' }];

/** What burns: the emergencies that wait for a call and what is overdue, each a way to its list. */
export function Burning() {
  const [emergencies, overdue] = useCounts(queries) ?? [];
  if (!emergencies || !overdue) return <p className="burning" />;
  const none = emergencies.count + overdue.count === 0;
  return (
    <p className={none ? 'burning muted' : 'burning'}>
      {none ? 'No emergency waits, and nothing is overdue.' : null}
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
  return count === 1 ? `1 ${one}` : `${countText(count, atLeast)} ${many}`;
}

/** More have no room above the list; they are in the menu. */
const maxTabs = 6;

/** The saved filters as tabs beside the views, each with its count. */
export function SavedTabs({ url, filters }: { url: DeskUrl; filters: SavedFilter[] }) {
  const shown = useMemo(() => filters.slice(0, maxTabs), [filters]);
  const queries = useMemo(() => shown.map(({ query }) => listQuery(unsorted(parseDeskUrl(query)))), [shown]);
  const counts = useCounts(queries);
  return shown.map((filter, at) => {
    const { id, name, query } = filter;
    const found = counts?.[at];
    return (
      <a
        key={id}
        className="saved-tab"
        href={query ? `/admin?${query}` : '/admin'}
        aria-current={isShown(filter, url) ? 'true' : undefined}
      >
        <span className="saved-name">{name}</span>{' '}
        <span className="filter-count">{found ? countText(found.count, found.atLeast) : ' '}</span>
      </a>
    );
  });
}

/**
 * Clicks on the phone links of the public pages: visitors who called instead of sending a request.
 */
export function CallClicks() {
  // Supplementary data: an error is not shown.
  const pages = useRead(listCallClicks).found?.pages ?? [];
  const sum = pages.reduce((all, { taps }) => all + taps, 0);
  if (sum === 0) return null;
  const summary = (
    <>
      <strong>{sum.toLocaleString('en-US')}</strong> {sum === 1 ? 'call click' : 'call clicks'}
      <span className="call-clicks-days"> in 30 days</span>
    </>
  );
  return (
    <Popover className="call-clicks" summary={summary}>
      <p className="muted">Clicks on our phone number, by page.</p>
      <ul>
        {pages.map(({ page, taps }) => (
          <li key={page}>
            <a href={page}>{page}</a> <span>{taps.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

// What the dashboard does when requests change elsewhere: refreshes the list and the open request.

/** Stands for every id among changed ones: any request may have changed. */
const anyRequest = '*';

/** Milliseconds before the list is read again, after this many readings that were not current. */
function retryDelay(attempts: number): number {
  return Math.min(400 * 2 ** (attempts - 1), 10_000);
}

export function useDeskLive({ store, open }: Desk) {
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ store, open });
  latest.current = { store, open };

  const changed = useMemo(() => {
    let attempts = 0;
    const run = coalesce<string>(async (ids) => {
      const { store, open } = latest.current;
      const { request } = open;
      if (request && (ids.includes(request.id) || ids.includes(anyRequest))) open.reload();
      const isCurrent = await store.refresh(ids.filter((id) => id !== request?.id && id !== anyRequest));
      clearTimeout(retry.current);
      attempts = isCurrent ? 0 : attempts + 1;
      if (!isCurrent) retry.current = setTimeout(() => run([anyRequest]), retryDelay(attempts));
    });
    return run;
  }, []);
  useEffect(() => () => clearTimeout(retry.current), []);

  useLive((ids) => changed(ids.length > 0 ? ids : [anyRequest]));
}

// New requests, unread messages and emails without a request are counted in the tab's title, for a
// dashboard that is open behind other windows.

/**
 * New requests that wait behind the button, requests of the list with an unread message, and emails
 * that belong to no request.
 */
export function titleCount({ requests, list }: RequestsState): number {
  if (!list) return 0;
  const counted = new Set(list.unseen);
  for (const id of list.ids) if (requests.get(id)?.unread) counted.add(id);
  return counted.size + list.views.unmatched;
}

export function useTitleCount(state: RequestsState) {
  const count = useMemo(() => titleCount(state), [state]);
  const { countInTitle } = useAlarms();
  useEffect(() => {
    countInTitle(count);
    return () => countInTitle(0);
  }, [count, countInTitle]);
}
