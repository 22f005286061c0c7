// What a view that shows requests does with the stream of changes.
import { useEffect, useRef } from 'react';
import { usePolling } from '../ui/use-polling';
import { useConnection } from './live-provider';

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
