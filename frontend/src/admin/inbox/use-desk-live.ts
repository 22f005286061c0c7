// What the dashboard does when requests change elsewhere: refreshes the list and the open request.
import { useEffect, useMemo, useRef } from 'react';
import { coalesce } from '../live/coalesce';
import { useLive } from '../live/use-live';
import type { OpenRequest } from '../state/use-open-request';
import type { RequestListStore } from '../state/use-request-list';

/** Stands for every id among changed ones: any request may have changed. */
const anyRequest = '*';

/** Milliseconds before the list is read again, after this many readings that were not current. */
function retryDelay(attempts: number): number {
  return Math.min(400 * 2 ** (attempts - 1), 10_000);
}

export function useDeskLive(store: RequestListStore, open: OpenRequest) {
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
