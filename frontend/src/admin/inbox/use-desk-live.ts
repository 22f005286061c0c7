// What the dashboard does when requests change elsewhere: refreshes the list and the open request,
// and alerts to new requests and messages.
import { useEffect, useMemo, useRef } from 'react';
import type { Person } from '../../api/inbox-types';
import { alertEnabled, alertToAssignment, alertToMessage, alertUser } from '../live/alerts';
import { coalesce } from '../live/coalesce';
import type { LiveChange } from '../live/live-stream';
import { tellAssigned } from '../live/tell-assigned';
import { useLive } from '../live/use-live';
import type { OpenRequest } from '../state/use-open-request';
import type { RequestListStore } from '../state/use-request-list';

/** Stands for every id among changed ones: any request may have changed. */
const anyRequest = '*';

/** Milliseconds in which assignments are collected for one message. */
const assignedPause = 300;

/** Milliseconds before the list is read again, after this many readings that were not current. */
function retryDelay(attempts: number): number {
  return Math.min(400 * 2 ** (attempts - 1), 10_000);
}

export function useDeskLive(
  store: RequestListStore,
  open: OpenRequest,
  { replying, people }: { replying: boolean; people: Person[] },
) {
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ store, open, people });
  latest.current = { store, open, people };

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
      coalesce<LiveChange>(async (changes) => {
        const read = await Promise.all(
          changes.slice(0, 5).map(async ({ id, verb }) => ({
            isNew: verb === 'received',
            request: await latest.current.store.reread(id),
          })),
        );
        const shown = read.flatMap(({ isNew, request }) =>
          request && !request.held ? [{ isNew, isEmergency: request.emergency_contact }] : [],
        );
        const fresh = shown.filter(({ isNew }) => isNew);
        if (fresh.length > 0) alertUser(fresh.some(({ isEmergency }) => isEmergency));
        else if (shown.length > 0) alertToMessage();
      }),
    [],
  );

  // One message about several that arrive together, as after a bulk change.
  const assigned = useMemo(() => {
    let waiting: LiveChange[] = [];
    let leads = false;
    const tell = async () => {
      const told = waiting;
      waiting = [];
      const first = told[0];
      if (!first) return;
      const { store, people } = latest.current;
      const request = await store.reread(first.id).catch(() => undefined);
      tellAssigned(
        told.length,
        request,
        people.find(({ id }) => id === first.actor_id),
      );
      if (leads) alertToAssignment();
    };
    return (change: LiveChange, isLeading: boolean) => {
      if (waiting.length === 0) setTimeout(tell, assignedPause);
      waiting.push(change);
      leads = isLeading;
    };
  }, []);

  return useLive(
    {
      changed: (ids) => changed(ids.length > 0 ? ids : [anyRequest]),
      received(change) {
        if (alertEnabled('sound') || alertEnabled('notification')) alertToNew([change]);
      },
      assigned,
    },
    { request: open.request?.id, replying },
  );
}
