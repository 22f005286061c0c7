// The files of a reply, from this device.
import type { ChangeEvent } from 'react';
import { uploadReplyFile } from '../../../api/mail';
import { Button } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import { toast } from '../../../ui/toast';
import { useAuth } from '../../session/provider';
import { errorMessage } from '../../ui/use-submit';
import { freeKey } from '../files/use-uploads';
import type { ReplyFile } from './reply-draft';

/** The name of the file that is being sent, and why one was not added. */
export type Upload = { sending?: string; failed?: string };

type Props = {
  request: string;
  files: ReplyFile[];
  /** Adds a file to those that the reply has by then. */
  addFile(file: ReplyFile): void;
  /** Whether files are being sent. */
  uploading: boolean;
  setUpload(upload: Upload): void;
};

const closedTooEarly = {
  title: 'Files not added',
  detail: 'The reply was closed before all its files were sent. Open it and choose the missing ones again.',
  destructive: true,
};

export function AttachFiles({ request, files, addFile, uploading, setUpload }: Props) {
  const { manager } = useAuth();

  async function add({ currentTarget: input }: ChangeEvent<HTMLInputElement>) {
    const taken = files.map(({ file }) => file.slice('mail/'.length));
    let failed = '';
    for (const file of [...(input.files ?? [])]) {
      setUpload({ sending: file.name });
      // Unique, since a file of an earlier reply may have the same name.
      const key = freeKey(request, `${Date.now()}-${file.name}`, taken);
      taken.push(key);
      try {
        await manager.withToken(uploadReplyFile, key, file);
        if (input.isConnected) addFile({ file: `mail/${key}`, name: file.name });
      } catch (error) {
        failed = `${file.name} was not added. ${errorMessage(error)}`;
      }
      if (!input.isConnected) return toast(closedTooEarly);
    }
    input.value = '';
    setUpload({ failed });
  }

  return (
    <label className="button button-quiet attach">
      Attach files
      <input
        id="reply-files"
        className="visually-hidden"
        type="file"
        multiple
        onChange={add}
        disabled={uploading}
      />
    </label>
  );
}

type FilesProps = { files: ReplyFile[]; upload: Upload; remove(file: string): void };

/** The files that go out with a reply, in sight however its fields are scrolled. */
export function ReplyFiles({ files, upload: { sending, failed }, remove }: FilesProps) {
  return (
    <div className="reply-files">
      {files.length > 0 ? (
        <ul className="message-files file-chips">
          {files.map(({ file, name }) => (
            <li key={file}>
              {name}{' '}
              <Button look="quiet" title="Remove" onClick={() => remove(file)}>
                <Icon name="close" />
                <span className="visually-hidden">Remove {name}</span>
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="muted" role="status">
        {sending ? `Sending ${sending}` : failed}
      </p>
    </div>
  );
}
