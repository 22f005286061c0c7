// Idempotency keys: the same content keeps its key until it is accepted, so a double click, a retry
// or a reload is one submission; changed content, or a later repetition, is a new one.
import { getJson, setItem } from '../safe-storage';

/** The key for this content. */
export function idempotencyKey(form: string, content: string): string {
  const hash = fingerprint(content);
  const [lastHash, lastKey] = getJson<string[]>('sessionStorage', `key.${form}`, []);
  if (lastHash === hash && lastKey) return lastKey;
  const key = randomKey();
  setItem('sessionStorage', `key.${form}`, JSON.stringify([hash, key]));
  return key;
}

/**
 * Discards the key after the content was accepted: the next submission is new, even if it is the
 * same.
 */
export function discardKey(form: string) {
  setItem('sessionStorage', `key.${form}`, '[]');
}

/** A hash of a text (FNV-1a with two seeds). The text itself is personal and is not stored. */
function fingerprint(text: string): string {
  return [0x811c9dc5, 0x01000193]
    .map((seed) => {
      let hash = seed;
      for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
      return (hash >>> 0).toString(36);
    })
    .join('-');
}

/** A random key of 128 bits, in the characters that the server takes. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
}
