// The list with its states: loading, failed, empty; older requests are loaded while it is scrolled.
import { useEffect, useMemo, useRef } from 'react';
import type { RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import { listedRequests, type RequestList as RequestListed } from '../requests/request-list-state';
import { isDrafted } from '../state/drafts';
import { useDesk } from '../state/use-desk';
import { focusIsLost } from '../state/use-row-focus';
import { Waiting } from '../ui/waiting';
import { EmptyList } from './empty-list';
import { RequestRow } from './request-row';
import { RowHeads } from './row-heads';
import { useWindowing } from './windowing';

/** How far below the window the end of the loaded rows may be before the next page is loaded. */
const loadAhead = '800px';

export function RequestList() {
  const { store, rowFocus } = useDesk();
  const { state, phase, load, loadMore } = store;
  const requests = useMemo(() => listedRequests(state), [state]);
  if (!state.list)
    return <Waiting problem={phase === 'failed' ? 'The list could not be loaded.' : ''} retry={load} />;
  const extend = async (byScrolling: boolean) => {
    const added = await loadMore();
    if (byScrolling) return;
    announce(`${added.length} more requests`);
    if (focusIsLost()) rowFocus.focus(added[0]);
  };
  return (
    <section className="list" aria-label="Requests" aria-busy={phase === 'loading'}>
      {requests.length === 0 ? <EmptyList /> : <RowHeads />}
      <Rows list={state.list} requests={requests} />
      {state.list.nextCursor ? (
        <More shown={requests.length} busy={phase === 'loading' || phase === 'extending'} extend={extend} />
      ) : null}
    </section>
  );
}

function Rows({ list, requests }: { list: RequestListed; requests: RequestItem[] }) {
  const { openId, now, changes, selection, pendingConfirm, rowFocus, hrefOf } = useDesk();
  const { busy, notes, undoable } = changes;
  const box = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => requests.map(({ id }) => id), [requests]);
  const keep = [rowFocus.focused(), rowFocus.wanted()];
  const { rows, below } = useWindowing(ids, box, rowFocus.rendered, keep);
  return (
    <ul ref={box} className="rows" style={{ paddingBottom: below > 0 ? `${below}px` : '' }}>
      {rows.map(({ index, gap }) => {
        const request = requests[index];
        if (!request) return null;
        const { id } = request;
        return (
          <RequestRow
            key={id}
            request={request}
            now={now}
            href={hrefOf(id)}
            open={id === openId}
            fresh={list.fresh.has(id)}
            found={list.found.get(id)}
            selected={selection.ids.has(id)}
            drafted={isDrafted(request)}
            busy={busy.has(id)}
            pendingConfirm={pendingConfirm === id}
            undoable={undoable.get(id)}
            note={notes[id]}
            index={index}
            gap={gap}
            listSize={list.nextCursor ? -1 : requests.length}
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
