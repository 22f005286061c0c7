// Adds files to a quote request: one after the other, with progress, and an undo for each.

import { type ChangeEvent, useState } from 'react';
import { quoteFiles } from '../../../api/files';
import { type EventOf, eventsOf, type HistoryEvent, type RequestFile, readRequest } from '../../../api/inbox';
import { UploadRefused, uploadFile } from '../../../api/resumable-upload';
import { fileKey } from '../../../forms/attachments/check-file';
import { toast } from '../../../ui/toast';
import { useAuth } from '../../session/provider';
import { useActions } from '../../state/use-desk';

/** `sending` says which file is being sent; empty while none is. */
export function useUploads(quoteId: string, files: RequestFile[], reload: () => void) {
  const { manager } = useAuth();
  const { offer } = useActions();
  const [sending, setSending] = useState('');

  async function send(file: File, key: string): Promise<boolean> {
    setSending(`Sending ${file.name}`);
    try {
      await uploadFile({
        file,
        key,
        bucket: quoteFiles,
        name: file.name,
        token: () => manager.withToken((token) => Promise.resolve(token)),
        signal: new AbortController().signal,
        onProgress: (sent) => setSending(`Sending ${file.name}: ${Math.floor((sent / file.size) * 100)}%`),
      });
      return true;
    } catch (error) {
      const detail = error instanceof UploadRefused ? error.message : 'The connection was lost.';
      toast({ title: `${file.name} was not added`, detail, destructive: true });
      return false;
    }
  }

  /** The storage service does not say which event it has caused: the history does. */
  async function offerUndo(added: string[]) {
    const { history } = await manager.withToken(readRequest, quoteId);
    for (const { id: event, detail } of addedEvents(history, added)) {
      const { name } = detail;
      const undone = `${name} is no longer in the request.`;
      offer('File added', `${name} is added.`, { id: quoteId, event, undone, after: reload });
    }
  }

  async function add({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const taken = files.map(({ key }) => key);
    const added: string[] = [];
    for (const file of [...(currentTarget.files ?? [])]) {
      const key = freeKey(quoteId, file.name, taken);
      taken.push(key);
      if (await send(file, key)) added.push(key);
    }
    currentTarget.value = '';
    setSending('');
    // Without the history the file is added all the same; it can be removed by hand.
    await offerUndo(added).catch(() => {});
    reload();
  }

  return { sending, add };
}

/** The newest event of each added file, in the order of adding. */
export function addedEvents(history: HistoryEvent[], added: string[]): EventOf<'file_added'>[] {
  const events = eventsOf(history, 'file_added');
  return added.flatMap((key) => events.findLast(({ detail }) => detail.key === key) ?? []);
}

/** A key for a file called `name` in the folder of a quote that is none of the `taken` ones. */
export function freeKey(quoteId: string, name: string, taken: string[]): string {
  const names = taken.map((key) => key.slice(key.indexOf('/') + 1));
  return `${quoteId}/${fileKey(name, names)}`;
}
