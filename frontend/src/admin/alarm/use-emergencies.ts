// The emergencies that raise the alarm, read again when one changes.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listRequests } from '../../api/inbox';
import type { RequestItem } from '../../api/inbox-types';
import { serverNow } from '../../api/server-clock';
import { getJson, setItem } from '../../safe-storage';
import { coalesce } from '../live/coalesce';
import { useConnection } from '../live/live-provider';
import { useAuth } from '../session/provider';
import { alarming, emergencyQuery } from './emergencies';

/** Milliseconds after which they are read again without the stream, or after a failure. */
const interval = 20_000;
const retryAfter = 5000;
/** How many opened emergencies a browser remembers. */
const maxOpened = 200;
const openedKey = 'alarms-opened';
const none: RequestItem[] = [];

/** Those that wait, whether the server has said so yet, and a function that reads them again. */
export function useEmergencies(): { waiting: RequestItem[]; isKnown: boolean; read(): void } {
  const { manager } = useAuth();
  const { connected, presence, follow } = useConnection();
  const [answer, setAnswer] = useState<RequestItem[]>();
  const found = answer ?? none;
  const [opened, setOpened] = useState<readonly string[]>(() => getJson('localStorage', openedKey, []));
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined);

  const run = useMemo(
    () =>
      coalesce<void>(async () => {
        clearTimeout(retry.current);
        try {
          const page = await manager.withToken(listRequests, emergencyQuery);
          setAnswer(page.requests);
        } catch {
          // The list says that the server cannot be reached.
          retry.current = setTimeout(() => run([]), retryAfter);
        }
      }),
    [manager],
  );
  const read = useCallback(() => run([]), [run]);
  useEffect(() => () => clearTimeout(retry.current), []);
  useEffect(
    () =>
      follow((event) => {
        if (event.type === 'resync' || (event.type === 'change' && event.emergency)) read();
      }),
    [follow, read],
  );
  // At the start, before the stream; also while the page is hidden: an alarm must be heard then.
  useEffect(() => {
    if (connected) return;
    read();
    const timer = setInterval(read, interval);
    return () => clearInterval(timer);
  }, [connected, read]);

  // Whoever opens one has seen it; they may have closed it again since.
  useEffect(() => {
    const seen = found.map(({ id }) => id).filter((id) => presence.get(id)?.length);
    setOpened((known) => {
      const fresh = seen.filter((id) => !known.includes(id));
      if (fresh.length === 0) return known;
      const all = [...known, ...fresh].slice(-maxOpened);
      setItem('localStorage', openedKey, JSON.stringify(all));
      return all;
    });
  }, [found, presence]);

  const waiting = useMemo(() => alarming(found, new Set(opened), serverNow()), [found, opened]);
  return { waiting, isKnown: answer !== undefined, read };
}
