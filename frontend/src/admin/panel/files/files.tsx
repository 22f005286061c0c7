// The files of a request and of its emails: thumbnails of pictures, links, the state of the virus
// scan; files are added and removed. Only pictures that the server has written itself are shown in
// the page.
import { useContext, useEffect, useState } from 'react';
import { linkFiles, linkSeconds, quoteFiles } from '../../../api/files';
import { removeRequestFile } from '../../../api/inbox';
import type { RequestFile } from '../../../api/inbox-types';
import { sizeText } from '../../../content/file-size';
import { toast } from '../../../ui/toast';
import { OfferContext } from '../../requests/undo';
import { useAuth } from '../../session/provider';
import { ConfirmButton } from '../../ui/confirm-button';
import { errorMessage } from '../../ui/use-submit';
import { useUploads } from './use-uploads';

type Props = {
  quoteId: string;
  files: RequestFile[];
  /** Whether the request takes files; those of its duplicates are shown either way. */
  takesFiles: boolean;
  reload(): void;
};

const buckets = [quoteFiles, 'mail'];

/** Time after which a running virus scan is asked for again, in milliseconds. */
const scanPoll = 4000;

export function Files({ quoteId, files, takesFiles, reload }: Props) {
  const { manager } = useAuth();
  const offer = useContext(OfferContext);
  const links = useLinks(files);
  const { sending, add } = useUploads(quoteId, files, reload);
  const isScanning = files.some(({ scan }) => scan === 'scanning');
  useEffect(() => {
    if (!isScanning) return;
    const timer = setTimeout(reload, scanPoll);
    return () => clearTimeout(timer);
  }, [isScanning, files, reload]);

  async function remove(file: RequestFile) {
    try {
      const { id: event } = await manager.withToken((token) => removeRequestFile(token, quoteId, file.key));
      const undone = `${file.name} is back.`;
      offer('File removed', `${file.name} is removed.`, { id: quoteId, event, undone, after: reload });
    } catch (error) {
      toast({ title: 'Not removed', detail: errorMessage(error), destructive: true });
    }
    reload();
  }

  return (
    <section aria-labelledby="files-title">
      <h3 id="files-title">Files</h3>
      <ul className="request-files">
        {files.map((file) => (
          <FileRow
            key={file.key}
            file={file}
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
    </section>
  );
}

/** The type of a file, or the end of its name where only that says what it is. */
function typeOf({ media_type: type, name }: RequestFile): string {
  const end = /\.(\w{1,5})$/.exec(name)?.[1];
  return (type === 'application/octet-stream' && end) || (type.split(/[/;+]/)[1] ?? '');
}

function FileRow({
  file,
  link,
  remove,
}: {
  file: RequestFile;
  link: string | undefined;
  remove: (() => void) | undefined;
}) {
  const isPicture = /^image\/(jpeg|png|webp)$/.test(file.media_type);
  const safe = file.scan !== 'infected' ? link : undefined;
  // A document is shown in a tab whose page is sandboxed (src/http/storage/reading.rs).
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
          {sizeText(file.size)}
          {file.by_visitor ? '' : ', added by us'}
          {file.bucket === 'mail' ? ', by email' : ''}
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

/** Links to the files, renewed before they expire. */
function useLinks(files: RequestFile[]): Record<string, string> {
  const { manager } = useAuth();
  const [links, setLinks] = useState<Record<string, string>>({});
  const keys = files.map(({ bucket, key }) => `${bucket}/${key}`).join('\n');
  useEffect(() => {
    let current = true;
    const sign = () =>
      manager
        .withToken((token) =>
          Promise.all(
            buckets.map((bucket) => {
              const own = keys.split('\n').filter((key) => key.startsWith(`${bucket}/`));
              return linkFiles(
                token,
                bucket,
                own.map((key) => key.slice(bucket.length + 1)),
              );
            }),
          ),
        )
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
