// The idempotency key of a submission: the same content keeps its key until it is accepted, so that a double click, a
// retry after a lost answer or a reload is one quote; changed content, or the same asked again later, is a new one.
import { getJson, setItem } from '../safe-storage';

/** The key under which this content is sent. */
export function idempotencyKey(form: string, content: string): string {
  const hash = fingerprint(content);
  const [lastHash, lastKey] = getJson<string[]>('sessionStorage', `key.${form}`, []);
  if (lastHash === hash && lastKey) return lastKey;
  const key = uuid();
  setItem('sessionStorage', `key.${form}`, JSON.stringify([hash, key]));
  return key;
}

/** The content was accepted: what comes next is new, even if it is the same. */
export function discardKey(form: string) {
  setItem('sessionStorage', `key.${form}`, '[]');
}

/** A short mark of a text (FNV-1a over two seeds). The text itself, being personal, is not kept. */
function fingerprint(text: string): string {
  return [0x811c9dc5, 0x01000193]
    .map((seed) => {
      let hash = seed;
      for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
      return (hash >>> 0).toString(36);
    })
    .join('-');
}

/** A random UUID; `crypto.randomUUID` exists on secure origins only. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
