// Over the list: the statuses with their counts, the search, and how fresh the list is.
import { useEffect, useRef } from 'react';
import { type Counts, type Status, statuses } from '../../api/triage';
import { addressOf, go, type Place } from './address';
import { total } from './board';
import { said } from './words';

/** Milliseconds without a keystroke after which a search begins. */
const typing = 300;

export function Filters({ place, counts }: { place: Place; counts: Counts | undefined }) {
  const all: [Status | undefined, string, number | undefined][] = [
    [undefined, 'all', counts && total(counts)],
    ...statuses.map(
      (status) => [status, said(status), counts?.[status]] as [Status, string, number | undefined],
    ),
  ];
  const here = useRef<HTMLElement>(null);
  // On a phone the chosen one may lie beyond the edge.
  useEffect(() => {
    here.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [place.status]);
  return (
    <nav ref={here} className="filters" aria-label="By status">
      {all.map(([status, name, count]) => (
        <a
          key={name}
          href={addressOf({ ...place, status, quote: undefined })}
          aria-current={place.status === status ? 'true' : undefined}
        >
          <span className="filter-name">{name}</span> <span className="filter-count">{count ?? ' '}</span>
        </a>
      ))}
    </nav>
  );
}

export function Search({ place }: { place: Place }) {
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A search that waits joins what was chosen meanwhile: a filter, a quote.
  const latest = useRef(place);
  latest.current = place;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (box.current && document.activeElement !== box.current) box.current.value = place.q;
  }, [place.q]);

  const seek = (openWhenTyped: string | undefined) => {
    clearTimeout(timer.current);
    const q = box.current?.value.trim() ?? '';
    const { current: now } = latest;
    if (q === now.q) return;
    go({ ...now, q, quote: now.quote === openWhenTyped ? undefined : now.quote }, true);
  };
  const typed = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => seek(place.quote), typing);
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
        defaultValue={place.q}
        onInput={typed}
        onKeyDown={(event) => {
          if (event.key === 'Enter') seek(place.quote);
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </search>
  );
}

/** Says when the list was last up to date, and that a search may lack the newest requests. */
export function Freshness({
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
