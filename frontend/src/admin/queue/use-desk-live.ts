// What the dashboard does when requests change elsewhere: refreshes the list and the open request,
// and alerts to new requests.
import { useMemo, useRef } from 'react';
import { alertEnabled, alertUser } from '../live/alerts';
import { coalesce } from '../live/coalesce';
import { useLive } from '../live/use-live';
import type { OpenRequest } from './use-open-request';
import type { RequestListStore } from './use-request-list';

/** Stands for every id among changed ones: any request may have changed. */
const anyRequest = '*';

export function useDeskLive(store: RequestListStore, open: OpenRequest) {
  const latest = useRef({ store, open });
  latest.current = { store, open };

  const changed = useMemo(
    () =>
      coalesce<string>((ids) => {
        const { store, open } = latest.current;
        const { request } = open;
        if (request && (ids.includes(request.id) || ids.includes(anyRequest))) open.reload();
        return store.refresh(ids.filter((id) => id !== request?.id && id !== anyRequest));
      }),
    [],
  );

  return useLive(
    {
      changed: (ids) => changed(ids.length > 0 ? ids : [anyRequest]),
      async received(change) {
        if (!alertEnabled('sound') && !alertEnabled('notification')) return;
        const request = await latest.current.store.reread(change.id);
        if (request && !request.held) alertUser(request.emergency_contact);
      },
    },
    open.request?.id,
  );
}
