/**
 * The `mailto:` link to an address. Both parts are encoded: a visitor may type an address such as
 * `ann?bcc=eve%40evil.example@tower.example`, which must preset nothing.
 */
export function mailtoLink(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  return `mailto:${encodeURIComponent(local)}@${encodeURIComponent(domain)}`;
}
