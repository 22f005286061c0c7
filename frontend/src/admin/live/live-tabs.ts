// One tab holds the stream for all tabs of a browser: the one with the lock reads it and broadcasts
// its events. A browser allows six connections to a host over HTTP/1.1, so a stream for each tab
// would block the seventh.
import type { SessionManager } from '../session/session-manager';
import { followStream, type LiveEvent, type Viewer } from './live-stream';

const lockName = 'guardpost.live';

type Message =
  | { type: 'event'; event: LiveEvent }
  | { type: 'connected'; open: boolean }
  /** A tab has just opened and asks for the state. */
  | { type: 'hello' };

export type LiveListener = {
  handle(event: LiveEvent): void;
  /** Whether changes arrive by the stream; if not, the list is polled. */
  connected(open: boolean): void;
  /** This tab holds the stream; only it plays sounds and shows notifications. */
  leads(): void;
};

/** Follows the stream, in this tab or another, until the returned function is called. */
export function followLive(manager: SessionManager, listener: LiveListener): () => void {
  const stop = new AbortController();
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(lockName);
  const presence = new Map<string, Viewer[]>();
  let leading = false;
  let open = false;

  const handle = (event: LiveEvent) => {
    if (event.type === 'presence') presence.set(event.request, event.people);
    listener.handle(event);
  };
  const connected = (now: boolean) => {
    open = now;
    // A new stream begins with the open request of each person.
    if (!now) presence.clear();
    listener.connected(now);
  };
  const tell = (message: Message) => channel?.postMessage(message);

  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.type === 'event' && !leading) handle(data.event);
      else if (data.type === 'connected' && !leading) connected(data.open);
      else if (data.type === 'hello' && leading) {
        tell({ type: 'connected', open });
        for (const [request, people] of presence)
          tell({ type: 'event', event: { type: 'presence', request, people } });
      }
    };
  }

  const lead = async () => {
    if (stop.signal.aborted) return;
    leading = true;
    // The session's presence ended with the tab that held the stream: every tab sends its own
    // again.
    connected(false);
    tell({ type: 'connected', open: false });
    listener.leads();
    await followStream(
      manager,
      {
        handle(event) {
          handle(event);
          tell({ type: 'event', event });
        },
        connected(now) {
          connected(now);
          tell({ type: 'connected', open: now });
        },
      },
      stop.signal,
    );
  };

  tell({ type: 'hello' });
  if (channel && navigator.locks)
    navigator.locks.request(lockName, { signal: stop.signal }, lead).catch(() => {});
  else lead();

  return () => {
    // The next tab with the lock opens a new stream.
    if (leading) tell({ type: 'connected', open: false });
    stop.abort();
    channel?.close();
  };
}
