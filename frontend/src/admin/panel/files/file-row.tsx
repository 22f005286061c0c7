// A file of a request: a thumbnail of a picture, its links, who has sent it and when, the state of
// the virus scan. Only pictures that the server has written itself are shown in the page.
import type { RequestFile } from '../../../api/inbox';
import { sizeText } from '../../../content/file-size';
import { dateTime } from '../../requests/format';
import { ConfirmButton } from '../../ui/confirm-button';

/** The type of a file, or the end of its name where only that says what it is. */
function typeOf({ media_type: type, name }: RequestFile): string {
  const end = /\.(\w{1,5})$/.exec(name)?.[1];
  return (type === 'application/octet-stream' && end) || (type.split(/[/;+]/)[1] ?? '');
}

type Props = {
  file: RequestFile;
  /** Who has sent it. */
  by: string;
  link: string | undefined;
  remove: (() => void) | undefined;
};

export function FileRow({ file, by, link, remove }: Props) {
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
