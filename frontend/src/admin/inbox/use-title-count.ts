// New requests, unread messages and emails without a request are counted in the tab's title, for a
// dashboard that is open behind other windows.
import { useEffect, useMemo } from 'react';
import { useAlarms } from '../alarm/alarm-provider';
import type { RequestsState } from '../requests/request-list-state';

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
