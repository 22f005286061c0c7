// The list with its states: loading, failed, empty; older requests are loaded while it is scrolled.
import { useEffect, useMemo, useRef } from 'react';
import type { FoundIn, RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import type { DeskUrl } from '../requests/desk-url';
import { listedRequests, type RequestsState } from '../requests/request-list-state';
import type { Changes } from '../state/use-changes';
import type { LoadPhase } from '../state/use-request-list';
import { Waiting } from '../ui/waiting';
import { EmptyList } from './empty-list';
import { RequestRow, type RowProps } from './request-row';
import { RowHeads } from './row-heads';
import { focusIsLost, type RowFocus } from './use-row-focus';
import { useWindowing } from './windowing';

/** How far below the window the end of the loaded rows may be before the next page is loaded. */
const loadAhead = '800px';

type RowsProps = Pick<
  RowProps,
  'now' | 'select' | 'move' | 'confirmStaffed' | 'release' | 'discard' | 'undo'
> &
  Pick<Changes, 'busy' | 'notes' | 'undoable'> & {
    open: string | undefined;
    /** Ids of the rows that came since the list was last loaded. */
    fresh: ReadonlySet<string>;
    /** Where a search has found them, by id. */
    found: ReadonlyMap<string, FoundIn>;
    pendingConfirm: string | undefined;
    selected: ReadonlySet<string>;
    isDrafted(request: RequestItem): boolean;
    rowFocus: RowFocus;
    hrefOf(id: string): string;
  };

type Props = RowsProps & {
  url: DeskUrl;
  state: RequestsState;
  phase: LoadPhase;
  load(): void;
  loadMore(): Promise<string[]>;
};

export function RequestList({ url, state, phase, load, loadMore, ...rest }: Omit<Props, 'fresh' | 'found'>) {
  const requests = useMemo(() => listedRequests(state), [state]);
  if (!state.list)
    return <Waiting problem={phase === 'failed' ? 'The list could not be loaded.' : ''} retry={load} />;
  const extend = async (byScrolling: boolean) => {
    const added = await loadMore();
    if (byScrolling) return;
    announce(`${added.length} more requests`);
    if (focusIsLost()) rest.rowFocus.focus(added[0]);
  };
  return (
    <section className="list" aria-label="Requests" aria-busy={phase === 'loading'}>
      {requests.length === 0 ? <EmptyList url={url} unmatched={state.list.views.unmatched} /> : null}
      {requests.length > 0 ? <RowHeads url={url} /> : null}
      <Rows
        {...rest}
        fresh={state.list.fresh}
        found={state.list.found}
        requests={requests}
        ended={!state.list.nextCursor}
      />
      {state.list.nextCursor ? (
        <More shown={requests.length} busy={phase === 'loading' || phase === 'extending'} extend={extend} />
      ) : null}
    </section>
  );
}

function Rows({
  requests,
  ended,
  rowFocus,
  ...rest
}: RowsProps & { requests: RequestItem[]; ended: boolean }) {
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => requests.map(({ id }) => id), [requests]);
  const keep = [rowFocus.focused(), rowFocus.wanted()];
  const { rows, below } = useWindowing(ids, list, rowFocus.rendered, keep);
  const {
    open,
    fresh,
    found,
    pendingConfirm,
    selected,
    isDrafted,
    busy,
    notes,
    undoable,
    hrefOf,
    ...shared
  } = rest;
  return (
    <ul ref={list} className="rows" style={{ paddingBottom: below > 0 ? `${below}px` : '' }}>
      {rows.map(({ index, gap }) => {
        const request = requests[index];
        if (!request) return null;
        const { id } = request;
        return (
          <RequestRow
            key={id}
            {...shared}
            request={request}
            href={hrefOf(id)}
            open={id === open}
            fresh={fresh.has(id)}
            found={found.get(id)}
            selected={selected.has(id)}
            drafted={isDrafted(request)}
            busy={busy.has(id)}
            pendingConfirm={pendingConfirm === id}
            undoable={undoable.get(id)}
            note={notes[id]}
            index={index}
            gap={gap}
            listSize={ended ? requests.length : -1}
            rows={rowFocus.rows}
          />
        );
      })}
    </ul>
  );
}

type MoreProps = { shown: number; busy: boolean; extend(byScrolling: boolean): void };

/**
 * Loads the next page before its end is scrolled into view; the button is for a page that failed.
 */
function More({ shown, busy, extend }: MoreProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(extend);
  latest.current = extend;
  const tried = useRef(0);
  useEffect(() => {
    if (busy || !box.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting || tried.current === shown) return;
        tried.current = shown;
        latest.current(true);
      },
      { rootMargin: loadAhead },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [shown, busy]);
  return (
    <div ref={box} className="more">
      <Button look="line" disabled={busy} onClick={() => extend(false)}>
        {busy ? 'Loading' : 'Load more'}
      </Button>
      <span className="muted">{`${shown.toLocaleString('en-US')} shown`}</span>
    </div>
  );
}
