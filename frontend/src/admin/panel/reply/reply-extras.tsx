// Copies and files of a reply: addresses, and files from this device.
import { type ChangeEvent, useState } from 'react';
import { uploadReplyFile } from '../../../api/mail';
import { Button } from '../../../ui/button';
import { toast } from '../../../ui/toast';
import { useAuth } from '../../session/provider';
import { errorMessage } from '../../ui/use-submit';
import { freeKey } from '../files/file-key';
import type { Reply, ReplyFile } from './reply-draft';

type Props = {
  request: string;
  reply: Reply;
  write(changes: Partial<Reply>): void;
  /** Adds a file to those that the reply has by then. */
  addFile(file: ReplyFile): void;
  /** Whether files are being sent. */
  uploading: boolean;
  setUploading(uploading: boolean): void;
};

const closedMeanwhile = {
  title: 'Files not added',
  detail: 'The reply was closed before all its files were sent. Open it and choose the missing ones again.',
  destructive: true,
};

export function ReplyExtras({ request, reply, write, addFile, uploading, setUploading }: Props) {
  const { manager } = useAuth();
  const [state, setState] = useState('');
  const { cc, files } = reply;

  async function add({ currentTarget: input }: ChangeEvent<HTMLInputElement>) {
    const taken = files.map(({ file }) => file.slice('mail/'.length));
    let failed = '';
    setUploading(true);
    for (const file of [...(input.files ?? [])]) {
      setState(`Sending ${file.name}`);
      // Unique, since a file of an earlier reply may have the same name.
      const key = freeKey(request, `${Date.now()}-${file.name}`, taken);
      taken.push(key);
      try {
        await manager.withToken(uploadReplyFile, key, file);
        if (input.isConnected) addFile({ file: `mail/${key}`, name: file.name });
      } catch (error) {
        failed = `${file.name} was not added. ${errorMessage(error)}`;
      }
      if (!input.isConnected) return toast(closedMeanwhile);
    }
    input.value = '';
    setState(failed);
    setUploading(false);
  }

  return (
    <>
      <div className="field">
        <label htmlFor="reply-cc">Copies to (optional)</label>
        <input
          id="reply-cc"
          className="input"
          inputMode="email"
          autoComplete="off"
          value={cc}
          onInput={(event) => write({ cc: event.currentTarget.value })}
        />
      </div>
      <div className="field">
        <label htmlFor="reply-files">Files (optional)</label>
        <input id="reply-files" className="input" type="file" multiple onChange={add} disabled={uploading} />
        {files.length ? (
          <ul className="message-files">
            {files.map(({ file, name }) => (
              <li key={file}>
                {name}{' '}
                <Button
                  look="quiet"
                  className="button-small"
                  onClick={() => write({ files: files.filter((it) => it.file !== file) })}
                >
                  Remove<span className="visually-hidden"> {name}</span>
                </Button>
              </li>
            ))}
          </ul>
        ) : null}
        <p className="muted" role="status">
          {state}
        </p>
      </div>
    </>
  );
}
