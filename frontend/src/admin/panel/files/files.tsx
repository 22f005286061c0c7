// The files of a request and of its emails, folded into one line above the conversation; files are
// added and removed.
import { useContext, useEffect, useState } from 'react';
import { removeRequestFile } from '../../../api/inbox';
import type { HistoryEvent, RequestFile } from '../../../api/inbox-types';
import { toast } from '../../../ui/toast';
import { OfferContext } from '../../requests/undo';
import { useAuth } from '../../session/provider';
import { errorMessage } from '../../ui/use-submit';
import { FileRow } from './file-row';
import { filesTitle, sentBy } from './sent-by';
import { useLinks } from './use-links';
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
  const offer = useContext(OfferContext);
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
    try {
      const { id: event } = await manager.withToken(removeRequestFile, quoteId, file.key);
      const undone = `${file.name} is back.`;
      offer('File removed', `${file.name} is removed.`, { id: quoteId, event, undone, after: reload });
    } catch (error) {
      toast({ title: 'Not removed', detail: errorMessage(error), destructive: true });
    }
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
