// Keeps the stream of changes open: reads it with the session's token, reconnects after every end
// with the last event's id, and aborts a stream that is silent for too long.

import { openStream } from '../../api/admin-client';
import type { Person } from '../../api/inbox';
import { pause as waitFor } from '../../api/resumable-upload';
import type { SessionManager } from '../session/session-manager';

export type LiveChange = {
  id: string;
  kind: 'quote' | 'message';
  verb: string;
  actor_id?: string | null;
  /** To whom it was assigned by this change. */
  assignee_id?: string;
  /** Who is reminded of it by this change. */
  reminds_id?: string;
  /** Its visitor has asked for a call right away. */
  emergency?: boolean;
  status: string;
};

/** A person who has a request open. */
export type Viewer = Person & { replying?: boolean };

export type LiveEvent =
  | ({ type: 'change' } & LiveChange)
  | { type: 'presence'; request: string; people: Viewer[] }
  | { type: 'site' }
  | { type: 'email' }
  | { type: 'resync' };

type Handlers = {
  handle(event: LiveEvent): void;
  /** The stream is open, or has ended. */
  connected(open: boolean): void;
};

/**
 * Milliseconds of silence after which a stream is dead: the server sends a heartbeat every 25 s.
 */
const maxSilence = 60_000;
const firstPause = 1000;
const maxPause = 30_000;

/** Reads the stream until `stop` aborts. */
export async function followStream(
  manager: SessionManager,
  { handle, connected }: Handlers,
  stop: AbortSignal,
) {
  let lastId = '';
  let pause = firstPause;
  const take = (event: StreamEvent) => {
    lastId = event.id || lastId;
    const parsed = parseEvent(event);
    if (parsed) handle(parsed);
  };
  while (!stop.aborted) {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    stop.addEventListener('abort', abort);
    try {
      const headers: Record<string, string> = lastId ? { 'Last-Event-ID': lastId } : {};
      const body = await manager.withToken((token) =>
        openStream('/api/admin/live', token, headers, attempt.signal),
      );
      connected(true);
      pause = firstPause;
      await readStream(body, take, attempt);
    } catch {
      // Offline, refused or silent: the next attempt follows, and the list is polled until then.
    } finally {
      stop.removeEventListener('abort', abort);
    }
    if (stop.aborted) return;
    connected(false);
    // It ends early when the browser is online again, or when the stream is stopped.
    await waitFor(pause * (0.5 + Math.random() / 2), stop).catch(() => {});
    pause = Math.min(maxPause, pause * 2);
  }
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  take: (event: StreamEvent) => void,
  attempt: AbortController,
) {
  const push = createEventParser(take);
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  for (;;) {
    const silence = setTimeout(() => attempt.abort(), maxSilence);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    push(value);
  }
}

function parseEvent({ event, data }: StreamEvent): LiveEvent | undefined {
  if (event === 'resync' || event === 'site' || event === 'email') return { type: event };
  if (event !== 'change' && event !== 'presence') return undefined;
  try {
    return { type: event, ...JSON.parse(data) };
  } catch {
    return undefined;
  }
}

// Parses `text/event-stream` (HTML Living Standard, section 9.2.6), read by fetch: an EventSource
// cannot send the bearer token.

export type StreamEvent = { id: string; event: string; data: string };

/**
 * Returns a function that takes the stream's text in any pieces and calls `handle` for each
 * complete event, and for an id without an event (its `data` is empty).
 */
export function createEventParser(handle: (event: StreamEvent) => void): (text: string) => void {
  let rest = '';
  let id = '';
  let handledId = '';
  let event = '';
  let data: string[] = [];

  const takeLine = (line: string) => {
    if (line === '') {
      if (data.length > 0 || id !== handledId)
        handle({ id, event: event || 'message', data: data.join('\n') });
      handledId = id;
      event = '';
      data = [];
      return;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value ?? '';
    else if (field === 'event') event = value ?? '';
    else if (field === 'data') data.push(value ?? '');
  };

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line);
  };
}
