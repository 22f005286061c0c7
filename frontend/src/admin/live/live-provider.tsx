// One stream of changes for all views of the dashboard: it stays open while the user goes from one
// view to another.

import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { callApi } from '../../api/admin-client';
import { useAuth } from '../session/provider';
import { filledContext } from '../ui/filled-context';
import { coalesce } from '../ui/use-attempt';
import { usePolling } from '../ui/use-polling';
import type { LiveEvent, Viewer } from './live-stream';
import { followLive } from './live-tabs';

type Listener = (event: LiveEvent) => void;

type Connection = {
  /** Whether changes arrive by the stream. */
  connected: boolean;
  /** The people who have a request open, by the request's id. */
  presence: ReadonlyMap<string, Viewer[]>;
  /**
   * Calls `listener` with each event until the returned function is called, and with a `resync`
   * when the stream begins: what happened before is not on it.
   */
  follow(listener: Listener): () => void;
  /** Whether this tab holds the stream; only that one shows notifications. */
  leads(): boolean;
};

const [Provider, useConnection] = filledContext<Connection>('LiveProvider');

export { useConnection };

export function LiveProvider({ children }: { children: ReactNode }) {
  const { manager } = useAuth();
  const [connected, setConnected] = useState(false);
  const [presence, setPresence] = useState<ReadonlyMap<string, Viewer[]>>(new Map());
  const listeners = useRef(new Set<Listener>());
  const leading = useRef(false);

  useEffect(() => {
    const tell = (event: LiveEvent) => {
      for (const listener of [...listeners.current]) listener(event);
    };
    const stop = followLive(manager, {
      leads() {
        leading.current = true;
      },
      connected(open) {
        setConnected(open);
        if (open) tell({ type: 'resync' });
        else setPresence(new Map());
      },
      handle(event) {
        if (event.type === 'presence') setPresence((now) => new Map(now).set(event.request, event.people));
        tell(event);
      },
    });
    return () => {
      leading.current = false;
      stop();
    };
  }, [manager]);

  const follow = useCallback((listener: Listener) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);
  const leads = useCallback(() => leading.current, []);
  const value = useMemo(() => ({ connected, presence, follow, leads }), [connected, presence, follow, leads]);
  return <Provider value={value}>{children}</Provider>;
}

// What a view that shows requests does with the stream of changes.

/**
 * Calls `changed` with the ids of requests that have changed; with none if any may have. Without
 * the stream it is called at intervals.
 */
export function useLive(changed: (ids: string[]) => void) {
  const { connected, follow } = useConnection();
  const latest = useRef(changed);
  latest.current = changed;
  useEffect(
    () =>
      follow((event) => {
        if (event.type === 'change') latest.current([event.id]);
        else if (event.type === 'resync') latest.current([]);
      }),
    [follow],
  );
  usePolling(() => latest.current([]), !connected);
}

// Reports which request this tab has open.

/** The server drops a tab's presence after two and a half minutes without renewal. */
const renewAfter = 60_000;

/** Distinguishes this tab from others of the same session. */
const tabName = Math.random().toString(36).slice(2);

/** Sends the newest report after the one on its way: reports at once may arrive in any order. */
const sendInTurn = coalesce<() => Promise<unknown>>(async (sends) => {
  await sends.at(-1)?.();
});

/** The request that is open in this tab. */
type OpenHere = { request: string | undefined; replying: boolean };

/** The others who have the open request open. */
export function usePresence({ request: openRequest, replying }: OpenHere): Viewer[] {
  const { manager, user } = useAuth();
  const { connected, presence } = useConnection();

  const send = useCallback(
    (request: string | null, replying: boolean) =>
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
        .catch(() => {}),
    [manager],
  );
  const show = useCallback(
    (request: string | null, replying = false) => sendInTurn([() => send(request, replying)]),
    [send],
  );

  // Sent when a request is opened, at intervals, when the stream reconnects, and when the tab or
  // the dashboard is closed.
  useEffect(() => {
    if (!connected) return;
    const request = openRequest ?? null;
    // A tab that is closed does not send what waits for its turn.
    const hide = () => send(null, false);
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
  }, [send, show, connected, openRequest, replying]);
  useEffect(() => () => show(null), [show]);

  return (presence.get(openRequest ?? '') ?? []).filter(({ id }) => id !== user?.id);
}
