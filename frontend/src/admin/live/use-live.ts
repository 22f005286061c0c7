// Connects the dashboard to the stream of changes, and reports and shows which admins have a
// request open.
import { useCallback, useEffect, useRef, useState } from 'react';
import { callApi } from '../../api/admin-client';
import { useAuth } from '../session/provider';
import { usePolling } from '../ui/use-polling';
import type { LiveChange, Viewer } from './live-stream';
import { followLive } from './live-tabs';

/** The server drops a tab's presence after two and a half minutes without renewal. */
const renewAfter = 60_000;

/** What a visitor does that alerts: a request, or a message in its conversation. */
const alerting: ReadonlySet<string> = new Set(['received', 'wrote']);

/** Distinguishes this tab from others of the same session. */
const tabName = Math.random().toString(36).slice(2);

type Handlers = {
  /** Requests that have changed; none if any may have. */
  changed(ids: string[]): void;
  /**
   * A new request, or a message of a customer; called only in the tab that holds the stream and
   * alerts.
   */
  received(change: LiveChange): void;
  /** A colleague has assigned a request to this person; `leads` as for `received`. */
  assigned(change: LiveChange, leads: boolean): void;
};

/** The request that is open in this tab. */
type OpenHere = { request: string | undefined; replying: boolean };

export type Live = {
  connected: boolean;
  /** The others who have a request open. */
  othersAt(request: string | undefined): Viewer[];
};

export function useLive(
  { changed, received, assigned }: Handlers,
  { request: openRequest, replying }: OpenHere,
): Live {
  const { manager, user } = useAuth();
  const [connected, setConnected] = useState(false);
  const [presence, setPresence] = useState<ReadonlyMap<string, Viewer[]>>(new Map());
  const latest = useRef({ changed, received, assigned, me: user?.id });
  latest.current = { changed, received, assigned, me: user?.id };

  useEffect(() => {
    let leads = false;
    return followLive(manager, {
      leads: () => {
        leads = true;
      },
      connected(open) {
        setConnected(open);
        // Events before the start of the stream are not on it.
        if (open) latest.current.changed([]);
        else setPresence(new Map());
      },
      handle(event) {
        if (event.type === 'presence') setPresence((now) => new Map(now).set(event.request, event.people));
        else if (event.type !== 'site') latest.current.changed(event.type === 'change' ? [event.id] : []);
        if (event.type !== 'change') return;
        const { me } = latest.current;
        if (alerting.has(event.verb) && leads) latest.current.received(event);
        if (me && event.assignee_id === me && event.actor_id !== me) latest.current.assigned(event, leads);
      },
    });
  }, [manager]);

  usePolling(() => changed([]), !connected);

  const show = useCallback(
    (request: string | null, replying = false) => {
      manager
        .withToken((token) =>
          callApi('/api/admin/live/presence', {
            method: 'POST',
            token,
            body: { request, replying, tab: tabName },
            keepalive: true,
          }),
        )
        // Presence is shown to others only, so its errors are ignored.
        .catch(() => {});
    },
    [manager],
  );

  // Sent when a request is opened, at intervals, when the stream reconnects, and when the tab or
  // the dashboard is closed.
  useEffect(() => {
    if (!connected) return;
    const request = openRequest ?? null;
    const hide = () => show(null);
    const showAgain = (event: PageTransitionEvent) => event.persisted && show(request, replying);
    show(request, replying);
    const renewal = request === null ? undefined : setInterval(() => show(request, replying), renewAfter);
    addEventListener('pagehide', hide);
    addEventListener('pageshow', showAgain);
    return () => {
      clearInterval(renewal);
      removeEventListener('pagehide', hide);
      removeEventListener('pageshow', showAgain);
    };
  }, [show, connected, openRequest, replying]);
  useEffect(() => () => show(null), [show]);

  return {
    connected,
    othersAt: (request) => (presence.get(request ?? '') ?? []).filter(({ id }) => id !== user?.id),
  };
}
