// @vitest-environment happy-dom The stream of changes reconnects after every end at its last
// position, and never twice at once.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SessionManager } from '../session/session-manager';
import { followStream, type LiveEvent } from './live-stream';

type Stream = { headers: Headers; push(text: string): void; end(): void; closed(): boolean };

let streams: Stream[];
let stop: AbortController;
let events: LiveEvent[];
let connections: boolean[];
let status: number;

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  events = [];
  connections = [];
  status = 200;
  stop = new AbortController();
  vi.stubGlobal(
    'fetch',
    async (_: string, { headers, signal }: { headers: HeadersInit; signal: AbortSignal }) => {
      if (status !== 200) return new Response('{}', { status });
      let closed = false;
      let controller: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start(given) {
          controller = given;
          signal.addEventListener('abort', () => {
            closed = true;
            given.error(new Error('aborted'));
          });
        },
      });
      streams.push({
        headers: new Headers(headers),
        push: (text) => controller.enqueue(new TextEncoder().encode(text)),
        end: () => controller.close(),
        closed: () => closed,
      });
      return new Response(body);
    },
  );
  const manager = { withToken: (make: (token: string) => unknown) => make('v4.public.a.b') };
  followStream(
    manager as SessionManager,
    { handle: (event) => events.push(event), connected: (open) => connections.push(open) },
    stop.signal,
  );
});

afterEach(() => {
  stop.abort();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Lets the stream be read, and `seconds` pass. */
const pass = (seconds = 0) => vi.advanceTimersByTimeAsync(seconds * 1000);

it('hands on changes and presence, and ignores what it does not know', async () => {
  await pass();
  expect(streams[0]?.headers.get('Authorization')).toBe('Bearer v4.public.a.b');
  streams[0]?.push('id: 7\nevent: change\ndata: {"id":"a","verb":"moved"}\n\nevent: weather\ndata: {}\n\n');
  streams[0]?.push('event: presence\ndata: {"request":"a","people":[]}\n\nevent: change\ndata: no json\n\n');
  await pass();
  expect(events).toEqual([
    { type: 'change', id: 'a', verb: 'moved' },
    { type: 'presence', request: 'a', people: [] },
  ]);
});

it('comes back after the end with the id of the last event', async () => {
  await pass();
  expect(streams[0]?.headers.get('Last-Event-ID')).toBeNull();
  streams[0]?.push('id: 12\n\n');
  await pass();
  streams[0]?.end();
  await pass(2);
  expect(connections).toEqual([true, false, true]);
  expect(streams[1]?.headers.get('Last-Event-ID')).toBe('12');
});

it('gives up on a stream that is silent for a minute, but not on one with heartbeats', async () => {
  await pass();
  for (let beat = 0; beat < 5; beat += 1) {
    await pass(25);
    streams[0]?.push(': \n\n');
  }
  await pass(25);
  expect(streams[0]?.closed()).toBe(false);
  await pass(40);
  expect(streams[0]?.closed()).toBe(true);
});

it('tries again less and less often while the server refuses', async () => {
  await pass();
  status = 503;
  streams[0]?.end();
  const { fetch } = globalThis;
  const asked = vi.fn(fetch);
  vi.stubGlobal('fetch', asked);
  await pass(300);
  expect(asked.mock.calls.length).toBeGreaterThan(8);
  expect(asked.mock.calls.length).toBeLessThan(30);
});

it('stops for good when the dashboard is left', async () => {
  await pass();
  stop.abort();
  await pass(60);
  expect(streams).toHaveLength(1);
  expect(streams[0]?.closed()).toBe(true);
});
