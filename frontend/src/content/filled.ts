// Fills the placeholders of a whole seed.
import { fillPlaceholders } from '../company';

/** A seed with the placeholders in all of its texts replaced. */
export function filled<T>(seed: T): T {
  if (typeof seed === 'string') return fillPlaceholders(seed) as T;
  if (!seed || typeof seed !== 'object') return seed;
  if (Array.isArray(seed)) return seed.map(filled) as T;
  return Object.fromEntries(Object.entries(seed).map(([key, value]) => [key, filled(value)])) as T;
}
