// Copies and files of a reply: addresses, and files from this device.
import { type ChangeEvent, useState } from 'react';
import { uploadReplyFile } from '../../../api/mail';
import { Button } from '../../../ui/button';
import { useAuth } from '../../session/provider';
import { errorMessage } from '../../ui/use-submit';
import { freeKey } from '../files/file-key';
import type { Reply } from './reply-draft';

type Props = { request: string; reply: Reply; write(changes: Partial<Reply>): void };

export function ReplyExtras({ request, reply, write }: Props) {
  const { manager } = useAuth();
  const [state, setState] = useState('');
  const { cc, files } = reply;

  async function add({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    let added = files;
    let failed = '';
    for (const file of [...(currentTarget.files ?? [])]) {
      setState(`Sending ${file.name}`);
      const taken = added.map((it) => it.file.slice('mail/'.length));
      // Unique, since a file of an earlier reply may have the same name.
      const key = freeKey(request, `${Date.now()}-${file.name}`, taken);
      try {
        await manager.withToken(uploadReplyFile, key, file);
        added = [...added, { file: `mail/${key}`, name: file.name }];
        write({ files: added });
      } catch (error) {
        failed = `${file.name} was not added. ${errorMessage(error)}`;
      }
    }
    currentTarget.value = '';
    setState(failed);
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
        <input id="reply-files" className="input" type="file" multiple onChange={add} />
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
