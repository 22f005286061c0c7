// Copies and files of a reply: addresses, and files from this device.
import { type ChangeEvent, useState } from 'react';
import { uploadReplyFile } from '../../../api/mail';
import { Button } from '../../../ui/button';
import { useAuth } from '../../session/provider';
import { errorMessage } from '../../ui/use-submit';
import { freeKey } from '../files/file-key';

export type Extras = {
  /** Addresses, separated by commas. */
  cc: string;
  files: { file: string; name: string }[];
};

/** The copies and the files as the call that sends a reply takes them. */
export function extrasOf({ cc, files }: Extras): { cc: string[]; files: string[] } {
  const addresses = cc.split(/[,;\s]+/).filter(Boolean);
  return { cc: addresses, files: files.map(({ file }) => file) };
}

type Props = { request: string; extras: Extras; change(extras: Extras): void };

export function ReplyExtras({ request, extras, change }: Props) {
  const { manager } = useAuth();
  const [state, setState] = useState('');
  const { files } = extras;

  async function add({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    let added = files;
    let failed = '';
    for (const file of [...(currentTarget.files ?? [])]) {
      setState(`Sending ${file.name}`);
      const taken = added.map((it) => it.file.slice('mail/'.length));
      // Unique, since a file of an earlier reply may have the same name.
      const key = freeKey(request, `${Date.now()}-${file.name}`, taken);
      try {
        await manager.withToken((token) => uploadReplyFile(token, key, file));
        added = [...added, { file: `mail/${key}`, name: file.name }];
        change({ ...extras, files: added });
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
          value={extras.cc}
          onInput={(event) => change({ ...extras, cc: event.currentTarget.value })}
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
                  onClick={() => change({ ...extras, files: files.filter((it) => it.file !== file) })}
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
