// The client against a server in memory that keeps the received bytes and drops the connection at
// given points.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cancelUpload, type Upload, UploadLost, UploadRefused, uploadFile } from './resumable-upload';

type Call = { method: string; url: string; headers: Record<string, string>; size: number };

/** A fault of the server in a call. */
type Fault = { method: string; keep?: number; status?: number; once?: boolean };

let calls: Call[];
let stored: number | undefined;
let length: number;
let faults: Fault[];

class FakeRequest {
  upload: { onprogress?(event: { loaded: number }): void; onload?(): void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  status = 0;
  responseText = '';
  #call: Call = { method: '', url: '', headers: {}, size: 0 };
  #answer: Record<string, string> = {};

  open(method: string, url: string) {
    this.#call = { ...this.#call, method, url };
  }
  setRequestHeader(name: string, value: string) {
    this.#call.headers[name] = value;
  }
  getResponseHeader(name: string) {
    return this.#answer[name] ?? null;
  }
  abort() {
    queueMicrotask(() => {
      this.onabort?.();
      this.onloadend?.();
    });
  }
  send(body?: Blob) {
    this.#call.size = body?.size ?? 0;
    calls.push(this.#call);
    queueMicrotask(() => {
      const fault = faults.find(({ method }) => method === this.#call.method);
      if (fault?.once !== false && fault) faults.splice(faults.indexOf(fault), 1);
      this.#serve(fault?.keep ?? this.#call.size, fault);
      this.onloadend?.();
    });
  }

  #serve(kept: number, fault?: Fault) {
    const { method, headers, size } = this.#call;
    if (fault?.status) this.status = fault.status;
    else if (method === 'POST') {
      stored = 0;
      length = Number(headers['upload-length']);
      this.status = 201;
      this.#answer.location = '/storage/v1/upload/resumable/sign/u1';
    } else if (stored === undefined) this.status = 404;
    else if (method === 'HEAD') {
      this.status = 200;
      this.#answer['upload-offset'] = `${stored}`;
    } else if (method === 'PATCH') {
      expect(Number(headers['upload-offset'])).toBe(stored);
      stored += kept;
      this.upload.onprogress?.({ loaded: kept });
      this.status = stored === length || kept === size ? 204 : 0;
    } else {
      stored = undefined;
      this.status = 204;
    }
    const lost = fault && !fault.status;
    if (lost || this.status === 0) this.onerror?.();
    else this.onload?.();
  }
}

const file = new Blob([new Uint8Array(1000)]);

function upload(changes: Partial<Upload> = {}): Upload {
  const signal = new AbortController().signal;
  return {
    file,
    bucket: 'quotes',
    key: 'q/a.pdf',
    name: 'ä.pdf',
    grant: 'g',
    onProgress() {},
    signal,
    ...changes,
  };
}

/** Runs an upload to its end, skipping all waits. */
async function run(one: Upload): Promise<unknown> {
  const ended = uploadFile(one).then(
    () => 'done',
    (error) => error,
  );
  await vi.runAllTimersAsync();
  return ended;
}

beforeEach(() => {
  vi.useFakeTimers();
  [calls, stored, length, faults] = [[], undefined, 0, []];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const methods = () => calls.map(({ method }) => method).join(' ');

it('creates an upload and sends the file in one piece', async () => {
  const progress: number[] = [];
  expect(await run(upload({ onProgress: (sent) => progress.push(sent) }))).toBe('done');
  expect(methods()).toBe('POST PATCH');
  expect(progress).toEqual([0, 1000]);
  expect(calls[0]?.headers).toMatchObject({
    'x-signature': 'g',
    'upload-length': '1000',
    'tus-resumable': '1.0.0',
  });
  const metadata = calls[0]?.headers['upload-metadata'] ?? '';
  const [, name = ''] = /metadata (\S+)/.exec(metadata) ?? [];
  expect(Buffer.from(name, 'base64').toString()).toBe('{"name":"ä.pdf"}');
});

it('goes on where the line was cut, at every point', async () => {
  for (const keep of [0, 1, 500, 999]) {
    [calls, stored] = [[], undefined];
    faults = [{ method: 'PATCH', keep }];
    expect(await run(upload())).toBe('done');
    expect(methods()).toBe('POST PATCH HEAD PATCH');
    expect([calls.at(-1)?.size, stored]).toEqual([1000 - keep, 1000]);
  }
});

it('does not send again what has arrived when only the answer was lost', async () => {
  faults = [{ method: 'PATCH', keep: 1000 }];
  expect(await run(upload())).toBe('done');
  expect(methods()).toBe('POST PATCH HEAD');
});

it('tells that the line is lost, and that it is back', async () => {
  const told: boolean[] = [];
  faults = [{ method: 'PATCH', keep: 10 }, { method: 'HEAD' }];
  await run(upload({ onLost: (lost) => told.push(lost) }));
  expect(told).toEqual([false, true, true, false]);
});

it('gives up after a minute without progress, and goes on there when it is tried again', async () => {
  const one = upload();
  faults = [
    { method: 'PATCH', keep: 300 },
    { method: 'HEAD', once: false },
  ];
  expect(await run(one)).toBeInstanceOf(UploadLost);
  expect(calls.filter(({ method }) => method === 'HEAD').length).toBe(8);
  [faults, calls] = [[], []];
  expect(await run(one)).toBe('done');
  expect(methods()).toBe('HEAD PATCH');
  expect(calls[1]?.size).toBe(700);
});

it('takes a refusal as final, but waits where the server is only busy', async () => {
  for (const status of [400, 403, 413, 415, 507]) {
    [calls, faults] = [[], [{ method: 'PATCH', status }]];
    const error = await run(upload());
    expect(error).toBeInstanceOf(UploadRefused);
    expect((error as UploadRefused).status).toBe(status);
    expect(methods()).toBe('POST PATCH');
  }
  for (const status of [423, 429, 503]) {
    [calls, faults] = [[], [{ method: 'PATCH', status }]];
    expect(await run(upload())).toBe('done');
    expect(methods()).toBe('POST PATCH HEAD PATCH');
  }
});

it('begins again, once, where the server has lost the upload', async () => {
  faults = [{ method: 'HEAD', status: 404 }];
  expect(await run(upload({ location: '/old' }))).toBe('done');
  expect(methods()).toBe('HEAD POST PATCH');
  [calls, faults] = [
    [],
    [
      { method: 'HEAD', status: 404 },
      { method: 'POST', status: 404 },
    ],
  ];
  expect(await run(upload({ location: '/old' }))).toBeInstanceOf(UploadRefused);
});

it('stops when it is canceled, and deletes what has begun', async () => {
  const stop = new AbortController();
  const one = upload({ signal: stop.signal, onProgress: () => stop.abort() });
  expect(((await run(one)) as DOMException).name).toBe('AbortError');
  await cancelUpload(one);
  expect(methods()).toBe('POST DELETE');
});
