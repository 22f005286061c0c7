// Over the list: the statuses with their counts, the search, and how fresh the list is.

import { useEffect, useRef } from 'react';
import { exportRequests, type Status, statuses } from '../../api/inbox';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import {
  type DeskUrl,
  filterQuery,
  formatDeskUrl,
  navigateDesk,
  unsorted,
  withFilters,
} from '../requests/desk-url';
import { countText, dateTime, statusText } from '../requests/format';
import { totalCount } from '../requests/request-list-state';
import { useAuth } from '../session/provider';
import { useDesk } from '../state/use-desk';
import { Popover } from '../ui/popover';
import { saveFile } from '../ui/save-file';
import { useJob } from '../ui/use-submit';

/** Milliseconds without a keystroke after which a search begins. */
const typing = 20;

export function StatusFilter() {
  const { url, store } = useDesk();
  const { counts, countsAtLeast: atLeast = false } = store.state.list ?? {};
  const { status: chosen } = url.filters;
  const all: [Status | undefined, string, number | undefined][] = [
    [undefined, 'all', counts && totalCount(counts)],
    ...statuses
      .map((status) => [status, statusText(status), counts?.[status]] as [Status, string, number | undefined])
      // A view that holds none of a status offers none.
      .filter(([status, , count]) => count !== 0 || status === chosen),
  ];
  const [, shown = ''] = all.find(([status]) => status === chosen) ?? [];
  return (
    <Popover className="status-filter" summary={`Status: ${shown}`}>
      <nav aria-label="By status">
        {all.map(([status, name, count]) => (
          <a
            key={name}
            href={formatDeskUrl(withFilters(url, { status: status ?? '' }))}
            aria-current={chosen === status ? 'true' : undefined}
          >
            <span className="filter-name">{name}</span>{' '}
            <span className="filter-count">{count === undefined ? ' ' : countText(count, atLeast)}</span>
          </a>
        ))}
      </nav>
    </Popover>
  );
}

export function Search() {
  const { url, searchBox: box, letGo } = useDesk();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { q = '' } = url.filters;
  // A delayed search keeps what was selected during the delay: a filter, a request.
  const latest = useRef(url);
  latest.current = url;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (box.current && document.activeElement !== box.current) box.current.value = q;
  }, [q]);

  const search = (openWhenTyped: string | undefined) => {
    clearTimeout(timer.current);
    const typed = box.current?.value.trim() ?? '';
    const { current: now } = latest;
    if (typed === (now.filters.q ?? '')) return;
    const request = now.request === openWhenTyped ? undefined : now.request;
    navigateDesk({ ...withFilters(now, { q: typed }), request }, true);
  };
  const typed = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(url.request), typing);
  };
  return (
    <search className="search">
      <label className="visually-hidden" htmlFor="search">
        Search requests
      </label>
      <input
        ref={box}
        id="search"
        type="search"
        className="input"
        placeholder="Search"
        title="Name, place, phone, GP-…"
        autoComplete="off"
        enterKeyHint="search"
        defaultValue={q}
        onInput={typed}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !openReference(event.currentTarget.value, url)) {
            search(url.request);
            letGo();
          }
          // An empty field lets go of it, as every control.
          if (event.key !== 'Escape' || !event.currentTarget.value) return;
          // The browser would empty the field alone.
          event.preventDefault();
          event.currentTarget.value = '';
          search(url.request);
        }}
      />
    </search>
  );
}

/** Opens a request by its reference, as a caller says it on the phone. */
function openReference(typed: string, url: DeskUrl): boolean {
  const reference = /^\s*GP-?([2-9B-DF-HJ-NP-TV-XZ]{4,8})\s*$/i.exec(typed)?.[1];
  if (!reference) return false;
  navigateDesk({ ...url, request: `GP-${reference.toUpperCase()}` });
  return true;
}

/**
 * Says when the list was last up to date, and that a search may lack the newest requests: at the
 * foot of the window, so that it moves no row.
 */
export function StaleNotice() {
  const { freshness, state } = useDesk().store;
  return (
    <p className="stale" role="status">
      {freshness.current ? (state.list?.incomplete ? searchIncomplete : '') : outdated(freshness.at)}
    </p>
  );
}

const searchIncomplete = 'The newest requests may be missing from this search. Trying again.';

function outdated(since: number): string {
  const at = dateTime(new Date(since).toISOString());
  const why = navigator.onLine ? 'The server does not answer' : 'You are offline';
  return `${why}. This is the list of ${at}. Trying again.`;
}

/** Exports what the list shows: the same filters, as a file. */
export function ExportMenu() {
  const { url, total: count } = useDesk();
  const { withRecentSignIn } = useAuth();
  const { busy, run } = useJob('Not exported');
  const exportAs = (format: 'csv' | 'json') =>
    run(async () => {
      const query = filterQuery(unsorted(url));
      const file = await withRecentSignIn((token) => exportRequests(token, query, format));
      saveFile(file, `requests-${new Date().toISOString().slice(0, 10)}.${format}`);
      toast({ title: 'Exported', detail: 'The file is in your downloads.' });
    });

  return (
    <Popover className="export" summary="Export">
      <p className="muted">
        {count === undefined ? 'The requests' : `The ${count.toLocaleString('en-US')} requests`} of this view,
        with its filters.
      </p>
      <Button look="line" disabled={busy} onClick={() => exportAs('csv')}>
        CSV for spreadsheets
      </Button>
      <Button look="line" disabled={busy} onClick={() => exportAs('json')}>
        JSON
      </Button>
    </Popover>
  );
}
