// Reports which request this tab has open.
import { useCallback, useEffect } from 'react';
import { callApi } from '../../api/admin-client';
import { useAuth } from '../session/provider';
import { coalesce } from './coalesce';
import { useConnection } from './live-provider';
import type { Viewer } from './live-stream';

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
