// The files of a request and of its emails, folded into one line above the conversation; files are
// added and removed.

import { useEffect, useState } from 'react';
import { linkFiles, linkSeconds, quoteFiles } from '../../../api/files';
import { eventsOf, type HistoryEvent, type RequestFile, removeRequestFile } from '../../../api/inbox';
import { sizeText } from '../../../content/file-size';
import { dateTime, personName } from '../../requests/format';
import { useAuth } from '../../session/provider';
import { useActions } from '../../state/use-desk';
import { ConfirmButton } from '../../ui/confirm-button';
import { errorToast } from '../../ui/use-submit';
import { useUploads } from './use-uploads';

type Props = {
  quoteId: string;
  files: RequestFile[];
  history: HistoryEvent[];
  /** Whether the request takes files; those of its duplicates are shown either way. */
  takesFiles: boolean;
  reload(): void;
};

/** Time after which a running virus scan is asked for again, in milliseconds. */
const scanPoll = 4000;

export function Files({ quoteId, files, history, takesFiles, reload }: Props) {
  const { manager } = useAuth();
  const { offer } = useActions();
  const [isOpen, setOpen] = useState(false);
  const links = useLinks(isOpen ? files : []);
  const { sending, add } = useUploads(quoteId, files, reload);
  const isScanning = files.some(({ scan }) => scan === 'scanning');
  useEffect(() => {
    if (!isScanning) return;
    const timer = setTimeout(reload, scanPoll);
    return () => clearTimeout(timer);
  }, [isScanning, files, reload]);

  async function remove(file: RequestFile) {
    await manager.withToken(removeRequestFile, quoteId, file.key).then(({ id: event }) => {
      const undone = `${file.name} is back.`;
      offer('File removed', `${file.name} is removed.`, { id: quoteId, event, undone, after: reload });
    }, errorToast('Not removed'));
    reload();
  }

  return (
    <section aria-labelledby="files-title">
      <details className="files" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h3 id="files-title">{filesTitle(files)}</h3>
        </summary>
        <ul className="request-files">
          {files.map((file) => (
            <FileRow
              key={file.key}
              file={file}
              by={sentBy(file, history)}
              link={links[file.key]}
              remove={file.key.startsWith(`${quoteId}/`) ? () => remove(file) : undefined}
            />
          ))}
        </ul>
        {takesFiles ? (
          <div className="add-files">
            <label htmlFor="add-files">Add files</label>
            <input
              id="add-files"
              className="input"
              type="file"
              multiple
              onChange={add}
              disabled={sending !== ''}
            />
            <p className="muted" role="status">
              {sending}
            </p>
          </div>
        ) : null}
      </details>
    </section>
  );
}

// Who has sent a file of a request, by its history.

/** The sender of a file: a colleague, the author of an email, or the customer. */
export function sentBy({ bucket, key, by_visitor }: RequestFile, history: HistoryEvent[]): string {
  const added = history.findLast(({ detail }) => 'key' in detail && detail.key === key);
  if (!by_visitor) return added?.actor ? personName(added.actor) : 'us';
  if (bucket !== 'mail') return 'the customer';
  // Files of an email lie in a folder with its id.
  const [folder] = key.split('/');
  const email = [...eventsOf(history, 'wrote'), ...eventsOf(history, 'auto_replied')]
    .map(({ detail }) => detail)
    .find((it) => it.email === folder);
  return `${email?.name || email?.from || 'the customer'} by email`;
}

/** The line of the folded list; it does not hide an infected file. */
export function filesTitle(files: RequestFile[]): string {
  const infected = files.filter(({ scan }) => scan === 'infected').length;
  return `Files (${files.length})${infected ? `, ${infected} infected` : ''}`;
}

// Links to files that only those may read who are signed in.

const buckets = [quoteFiles, 'mail'];

/** Links to the files by key, renewed before they expire. */
function useLinks(files: RequestFile[]): Record<string, string> {
  const { manager } = useAuth();
  const [links, setLinks] = useState<Record<string, string>>({});
  const keys = files.map(({ bucket, key }) => `${bucket}/${key}`).join('\n');
  useEffect(() => {
    let current = true;
    const paths = keys.split('\n').map((path) => path.split(/\/(.*)/));
    const keysIn = (bucket: string) => paths.flatMap(([of, key]) => (of === bucket && key ? [key] : []));
    const sign = () =>
      manager
        .withToken((token) => Promise.all(buckets.map((bucket) => linkFiles(token, bucket, keysIn(bucket)))))
        .then((found) => {
          if (current) setLinks(Object.assign({}, ...found));
        })
        .catch(() => {});
    sign();
    const timer = setInterval(sign, (linkSeconds - 600) * 1000);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [manager, keys]);
  return links;
}

// A file of a request: a thumbnail of a picture, its links, who has sent it and when, the state of
// the virus scan. Only pictures that the server has written itself are shown in the page.

/** The type of a file, or the end of its name where only that says what it is. */
function typeOf({ media_type: type, name }: RequestFile): string {
  const end = /\.(\w{1,5})$/.exec(name)?.[1];
  return (type === 'application/octet-stream' && end) || (type.split(/[/;+]/)[1] ?? '');
}

type FileRowProps = {
  file: RequestFile;
  /** Who has sent it. */
  by: string;
  link: string | undefined;
  remove: (() => void) | undefined;
};

function FileRow({ file, by, link, remove }: FileRowProps) {
  const isPicture = /^image\/(jpeg|png|webp)$/.test(file.media_type);
  const safe = file.scan !== 'infected' ? link : undefined;
  // A document is shown in a tab whose page is sandboxed (src/api/storage/reading.rs).
  const page = isPicture
    ? safe
    : file.media_type === 'application/pdf' && safe
      ? `${safe}&open=1`
      : undefined;
  return (
    <li>
      {safe && isPicture ? (
        <a
          className="thumbnail"
          href={safe}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Open ${file.name}`}
        >
          <img src={safe} alt="" loading="lazy" decoding="async" />
        </a>
      ) : (
        <span className="thumbnail" aria-hidden="true">
          {typeOf(file)}
        </span>
      )}
      <div>
        <p className="file-title">{file.name}</p>
        <p className="muted">
          {`${sizeText(file.size)} · ${by}, `}
          <time dateTime={file.created_at}>{dateTime(file.created_at)}</time>
          {' · '}
          <span className={`scan-${file.scan}`}>{scanText[file.scan]}</span>
        </p>
        <p className="file-links">
          {page ? (
            <a href={page} target="_blank" rel="noopener noreferrer">
              Open<span className="visually-hidden"> {file.name}</span>
            </a>
          ) : null}
          {safe ? (
            <a href={`${safe}&download=${encodeURIComponent(file.name)}`}>
              Download<span className="visually-hidden"> {file.name}</span>
            </a>
          ) : null}
          {remove ? <ConfirmButton name="Remove" of={file.name} act={remove} /> : null}
        </p>
      </div>
    </li>
  );
}

const scanText: Record<string, string> = {
  unscanned: 'not scanned for viruses',
  scanning: 'being scanned for viruses',
  clean: 'no virus found',
  infected: 'Infected. It cannot be opened.',
};
