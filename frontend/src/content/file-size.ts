/** A size for people: "2.4 MB". */
export function sizeText(bytes: number): string {
  const kilobytes = bytes / 1000;
  return kilobytes < 1000 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}
