import { toast } from '../../ui/toast';

/** Saves a file that was read: a link cannot send the session's token. */
export function saveFile(file: Blob, name: string) {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(file),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Copies a text; `what` says which it was. */
export async function copyText(text: string, what: string, notCopied: string) {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: 'Copied', detail: what });
  } catch {
    toast({ title: 'Not copied', detail: notCopied, destructive: true });
  }
}
