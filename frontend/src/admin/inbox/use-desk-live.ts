// What the dashboard does when requests change elsewhere: refreshes the list and the open request,
// and alerts to new requests.
import { useEffect, useMemo, useRef } from 'react';
import { alertEnabled, alertUser } from '../live/alerts';
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

  // A flood of requests gives a few sounds, and a few requests are read for it.
  const alertToNew = useMemo(
    () =>
      coalesce<string>(async (ids) => {
        const read = await Promise.all(ids.slice(0, 5).map((id) => latest.current.store.reread(id)));
        const shown = read.flatMap((request) => (request && !request.held ? [request] : []));
        if (shown.length > 0) alertUser(shown.some(({ emergency_contact }) => emergency_contact));
      }),
    [],
  );

  return useLive(
    {
      changed: (ids) => changed(ids.length > 0 ? ids : [anyRequest]),
      received(change) {
        if (alertEnabled('sound') || alertEnabled('notification')) alertToNew([change.id]);
      },
    },
    open.request?.id,
  );
}
