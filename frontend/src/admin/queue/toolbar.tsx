// Over the list: the statuses with their counts, the search, and how fresh the list is.
import { useEffect, useRef } from 'react';
import { type Counts, type Status, statuses } from '../../api/quotes';
import { type DeskUrl, formatDeskUrl, navigateDesk } from './desk-url';
import { statusText } from './format';
import { totalCount } from './quote-list-state';

/** Milliseconds without a keystroke after which a search begins. */
const typing = 300;

export function Filters({ url, counts }: { url: DeskUrl; counts: Counts | undefined }) {
  const all: [Status | undefined, string, number | undefined][] = [
    [undefined, 'all', counts && totalCount(counts)],
    ...statuses.map(
      (status) => [status, statusText(status), counts?.[status]] as [Status, string, number | undefined],
    ),
  ];
  const here = useRef<HTMLElement>(null);
  // On a phone the chosen one may lie beyond the edge.
  useEffect(() => {
    here.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [url.status]);
  return (
    <nav ref={here} className="filters" aria-label="By status">
      {all.map(([status, name, count]) => (
        <a
          key={name}
          href={formatDeskUrl({ ...url, status, quote: undefined })}
          aria-current={url.status === status ? 'true' : undefined}
        >
          <span className="filter-name">{name}</span> <span className="filter-count">{count ?? ' '}</span>
        </a>
      ))}
    </nav>
  );
}

export function Search({ url }: { url: DeskUrl }) {
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A search that waits joins what was chosen meanwhile: a filter, a quote.
  const latest = useRef(url);
  latest.current = url;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (box.current && document.activeElement !== box.current) box.current.value = url.q;
  }, [url.q]);

  const seek = (openWhenTyped: string | undefined) => {
    clearTimeout(timer.current);
    const q = box.current?.value.trim() ?? '';
    const { current: now } = latest;
    if (q === now.q) return;
    navigateDesk({ ...now, q, quote: now.quote === openWhenTyped ? undefined : now.quote }, true);
  };
  const typed = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => seek(url.quote), typing);
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
        placeholder="Name, place, phone"
        autoComplete="off"
        enterKeyHint="search"
        defaultValue={url.q}
        onInput={typed}
        onKeyDown={(event) => {
          if (event.key === 'Enter') seek(url.quote);
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </search>
  );
}

/** Says when the list was last up to date, and that a search may lack the newest requests. */
export function StaleNotice({
  heard,
  incomplete,
}: {
  heard: { at: number; well: boolean };
  incomplete: boolean;
}) {
  return (
    <p className="stale" role="status">
      {heard.well ? (incomplete ? searchIncomplete : '') : outdated(heard.at)}
    </p>
  );
}

const searchIncomplete = 'The newest requests may be missing from this search. Trying again.';

function outdated(since: number): string {
  const at = new Date(since).toLocaleTimeString('en-US', { timeStyle: 'short' });
  const why = navigator.onLine ? 'The server does not answer' : 'You are offline';
  return `${why}. This is the list of ${at}. Trying again.`;
}
