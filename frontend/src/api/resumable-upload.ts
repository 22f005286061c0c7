// A client of the protocol for resumable uploads (TUS 1.0) of `/storage/v1/upload/resumable`.
// Written here to fit into the page's budget: 3.7 KB with the list of files. XMLHttpRequest,
// because fetch reports no progress of an upload.

const endpoint = '/storage/v1/upload/resumable';
/** Milliseconds without progress after which an upload has lost its connection. */
const stallMs = 30_000;
/**
 * Waits between failures without progress, in milliseconds; after the last one the upload fails.
 */
const waits = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];

export type Upload = {
  file: Blob;
  bucket: string;
  key: string;
  /** The display name, also of downloads. */
  name: string;
  /** The grant; or the access token of an admin, which is read for each request. */
  grant?: string;
  token?: () => Promise<string>;
  /** The upload's URL: set when it has begun, kept for the next try. */
  location?: string | undefined;
  /** Called with the number of sent bytes. */
  onProgress(sent: number): void;
  /** Called when the connection is lost, and with `false` when it is back. */
  onLost?(lost: boolean): void;
  signal: AbortSignal;
};

/** The server has refused the file: the status and text of its response. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused';
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

/** The connection stays lost. */
export class UploadLost extends Error {
  override readonly name = 'UploadLost';
}

type Answer = { status: number; text: string; header(name: string): string | null };

/**
 * Uploads a file, and continues after a lost connection. Throws UploadRefused, UploadLost, or an
 * AbortError.
 */
export async function uploadFile(upload: Upload): Promise<void> {
  let failures = 0;
  let reached = 0;
  for (;;) {
    try {
      const offset = upload.location ? await findOffset(upload) : await create(upload);
      if (offset === upload.file.size) return;
      if (offset > reached) failures = 0;
      reached = offset;
      upload.onLost?.(false);
      upload.onProgress(offset);
      await append(upload, offset);
      return;
    } catch (error) {
      if (upload.signal.aborted) throw aborted();
      if (error instanceof UploadRefused && !isPassing(error.status)) {
        // An upload that no longer exists is started again, once.
        if (!(upload.location && [404, 410].includes(error.status) && failures === 0)) throw error;
        upload.location = undefined;
      }
      const wait = waits[failures];
      if (wait === undefined) throw new UploadLost();
      failures += 1;
      upload.onLost?.(true);
      await pause(wait, upload.signal);
    }
  }
}

/** Deletes an upload that has begun, so that it no longer counts for its request. */
export async function cancelUpload(upload: Upload): Promise<void> {
  if (upload.location) await send(upload, 'DELETE', upload.location, { signal: null }).catch(() => {});
}

/** Whether a refusal is temporary: the server is busy, or still holds the lost connection open. */
const isPassing = (status: number) => [408, 409, 423, 429, 500, 502, 503, 504].includes(status);

async function create(upload: Upload): Promise<number> {
  const { file, bucket, key, name, grant } = upload;
  const values = { bucketName: bucket, objectName: key, metadata: JSON.stringify({ name }) };
  const metadata = Object.entries(values).map(([field, value]) => `${field} ${base64(value)}`);
  const headers = { 'upload-length': `${file.size}`, 'upload-metadata': metadata.join(',') };
  const answer = await send(upload, 'POST', endpoint + (grant ? '/sign' : ''), { headers });
  // The key is taken for good.
  if (answer.status === 409) throw new UploadRefused(400, answer.text);
  expect(answer, 201);
  upload.location = answer.header('location') ?? undefined;
  return 0;
}

async function findOffset(upload: Upload): Promise<number> {
  const answer = await send(upload, 'HEAD', upload.location as string);
  expect(answer, 200);
  return Number(answer.header('upload-offset'));
}

async function append(upload: Upload, offset: number): Promise<void> {
  const headers = {
    'upload-offset': `${offset}`,
    'content-type': 'application/offset+octet-stream',
  };
  const onProgress = (sent: number) => upload.onProgress(offset + sent);
  const body = upload.file.slice(offset);
  expect(await send(upload, 'PATCH', upload.location as string, { headers, body, onProgress }), 204);
}

function expect({ status, text }: Answer, expected: number) {
  if (status !== expected) throw new UploadRefused(status, text);
}

type Options = {
  headers?: Record<string, string>;
  body?: Blob;
  onProgress?(sent: number): void;
  signal?: AbortSignal | null;
};

async function send(upload: Upload, method: string, url: string, options: Options = {}): Promise<Answer> {
  const { headers = {}, body, onProgress, signal = upload.signal } = options;
  const own: Record<string, string> = upload.grant
    ? { 'x-signature': upload.grant }
    : { authorization: `Bearer ${await upload.token?.()}` };
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    let timer = setTimeout(stop, stallMs);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, stallMs);
    };
    request.upload.onprogress = ({ loaded }) => {
      alive();
      onProgress?.(loaded);
    };
    // The server stores the file before it answers.
    request.upload.onload = alive;
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      });
    request.onerror = request.onabort = () => reject(signal?.aborted ? aborted() : new Error('lost'));
    request.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop);
    request.open(method, url);
    const all = { 'tus-resumable': '1.0.0', ...own, ...headers };
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    if (signal?.aborted) reject(aborted());
    else request.send(body);
  });
}

const aborted = () => new DOMException('The upload was canceled', 'AbortError');

/** Waits for the delay, or until the device is online again. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(aborted());
      else resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
