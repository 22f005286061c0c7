/** Saves a file that was read: a link cannot send the session's token. */
export function saveFile(file: Blob, name: string) {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(file),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
