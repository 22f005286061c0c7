// The files of the quote form: chosen ones, and those that are being sent once their request is
// stored, one at a time. The list outlives the form, so that uploads go on while the page changes.
import { cancelUpload, type Upload, UploadLost, UploadRefused, uploadFile } from '../../api/resumable-upload';
import { sizeText } from '../../content/file-size';
import { checkFile, fileKey, maxFiles, texts } from './check-file';

/** Where the files of a stored request go; `null` if none can be taken now. */
export type Grant = { url: string; token: string } | null | undefined;

export type FileStatus = 'chosen' | 'refused' | 'waiting' | 'sending' | 'lost' | 'failed' | 'arrived';

export type Item = {
  id: number;
  file: File;
  state: FileStatus;
  /** Why it is refused or has failed. */
  reason: string;
  /** Bytes that have arrived, as far as the browser knows. */
  sent: number;
  /** Whether another try may succeed. */
  retry: boolean;
};

type Running = { upload: Upload; stop: AbortController };

/** What happened, for people who cannot see the list. */
type Announce = (text: string) => void;

export class FileList {
  items: readonly Item[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<number, Running>();
  #count = 0;
  #sending = false;

  constructor(readonly announce: Announce) {}

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** The files that have not been sent. */
  get chosen(): Item[] {
    return this.items.filter(({ state }) => state === 'chosen' || state === 'refused');
  }

  /** The files of requests that have been sent. */
  get uploads(): Item[] {
    return this.items.filter(({ state }) => state !== 'chosen' && state !== 'refused');
  }

  /** Whether leaving the page would lose a file. */
  get busy(): boolean {
    return this.items.some(({ state }) => ['waiting', 'sending', 'lost'].includes(state));
  }

  /** Adds chosen files. A refused one stays in the list with its reason, and is not sent. */
  async add(files: File[]) {
    // A new request begins: results of the previous request were already announced.
    if (!this.busy) this.items = this.chosen;
    for (const file of files) {
      const reason = await checkFile(file);
      const taken = this.chosen.filter(({ state }) => state === 'chosen');
      if (taken.some((item) => isSame(item.file, file))) continue;
      const why = reason ?? (taken.length === maxFiles ? texts.tooMany : '');
      this.#count += 1;
      const item: Item = {
        id: this.#count,
        file,
        state: why ? 'refused' : 'chosen',
        reason: why,
        sent: 0,
        retry: false,
      };
      this.#set([...this.items, item]);
      this.announce(
        why ? `${file.name} is not added: ${why}` : `${file.name}, ${sizeText(file.size)}, added`,
      );
    }
  }

  /** Removes a file that is not sent, or takes back one that is on its way. */
  remove(id: number) {
    const item = this.items.find((one) => one.id === id);
    const running = this.#running.get(id);
    running?.stop.abort();
    if (running) cancelUpload(running.upload);
    this.#running.delete(id);
    this.#set(this.items.filter((one) => one.id !== id));
    if (item) this.announce(`${item.file.name} removed`);
  }

  /** Sends the chosen files under the grant of their request. */
  start(grant: Grant) {
    const keys: string[] = [];
    this.items = this.items.flatMap((item): Item[] => {
      if (item.state === 'refused') return [];
      if (item.state !== 'chosen') return [item];
      if (!grant) return [{ ...item, state: 'failed', reason: notNow }];
      const key = fileKey(item.file.name, keys);
      keys.push(key);
      this.#running.set(item.id, this.#prepare(item, grant, key));
      return [{ ...item, state: 'waiting' }];
    });
    this.#set(this.items);
    this.#sendAll();
  }

  /** Tries a file again. */
  retry(id: number) {
    this.#change(id, { state: 'waiting', reason: '' });
    this.#sendAll();
  }

  /** Tries all files again that only the line has stopped. */
  retryLost() {
    for (const { id, state, retry } of this.items) if (state === 'failed' && retry) this.retry(id);
  }

  #prepare({ id, file }: Item, grant: { url: string; token: string }, key: string): Running {
    const stop = new AbortController();
    const folder = grant.url.split('/').at(-2);
    const upload: Upload = {
      file,
      bucket: 'quotes',
      key: `${folder}/${key}`,
      name: file.name,
      grant: grant.token,
      signal: stop.signal,
      onProgress: (sent) => this.#change(id, { state: 'sending', sent }),
      onLost: (lost) => this.#change(id, { state: lost ? 'lost' : 'sending' }),
    };
    return { upload, stop };
  }

  async #sendAll() {
    if (this.#sending) return;
    this.#sending = true;
    for (;;) {
      const next = this.items.find(({ state }) => state === 'waiting');
      const running = next && this.#running.get(next.id);
      if (!next || !running) break;
      await this.#send(next, running.upload);
    }
    this.#sending = false;
  }

  async #send({ id, file }: Item, upload: Upload) {
    this.#change(id, { state: 'sending' });
    try {
      await uploadFile(upload);
      this.#running.delete(id);
      this.#change(id, { state: 'arrived', sent: file.size });
      this.announce(`${file.name} has arrived`);
    } catch (error) {
      if (upload.signal.aborted) return;
      const reason = reasonOf(error);
      this.#change(id, { state: 'failed', reason, retry: !(error instanceof UploadRefused) });
      this.announce(`${file.name} has not arrived: ${reason}`);
    }
  }

  #change(id: number, change: Partial<Item>) {
    this.#set(this.items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  }

  #set(items: readonly Item[]) {
    this.items = items;
    for (const listener of this.#listeners) listener();
  }
}

const isSame = (one: File, other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

const notNow = 'We cannot take files just now. Please email it to us.';

function reasonOf(error: unknown): string {
  if (error instanceof UploadLost) return 'The connection was lost.';
  if (!(error instanceof UploadRefused)) return texts.unreadable;
  const byStatus: Record<number, string> = {
    403: 'We no longer take files for this request. Please email it to us.',
    413: 'It is too large: at most 10 MB and 50 megapixels.',
    415: texts.type,
    507: notNow,
  };
  return byStatus[error.status] ?? error.message;
}
