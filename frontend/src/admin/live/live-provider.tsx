// One stream of changes for all views of the dashboard: it stays open while the user goes from one
// view to another.

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useAuth } from '../session/provider';
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

const Context = createContext<Connection | null>(null);

export function useConnection(): Connection {
  const connection = useContext(Context);
  if (!connection) throw new Error('useConnection needs a LiveProvider');
  return connection;
}

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
  return <Context.Provider value={value}>{children}</Context.Provider>;
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
