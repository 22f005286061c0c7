// What the dashboard does when requests change elsewhere: refreshes the list and the open request.

import { useEffect, useMemo, useRef } from 'react';
import { useAlarms } from '../alarm/alarm-provider';
import { useLive } from '../live/live-provider';
import type { RequestsState } from '../requests/request-list-state';
import type { Desk } from '../state/use-desk';
import { coalesce } from '../ui/use-attempt';

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
export function waitingCount({ requests, list }: RequestsState): number {
  if (!list) return 0;
  const waiting = new Set(list.unseen);
  for (const id of list.ids) if (requests.get(id)?.unread) waiting.add(id);
  return waiting.size + list.views.unmatched;
}

export function useTitleCount(state: RequestsState) {
  const count = useMemo(() => waitingCount(state), [state]);
  const { countInTitle } = useAlarms();
  useEffect(() => {
    countInTitle(count);
    return () => countInTitle(0);
  }, [count, countInTitle]);
}
