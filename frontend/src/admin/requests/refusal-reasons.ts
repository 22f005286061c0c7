// Refused requests of a change of many, by the reason that the server gives.
import type { BulkResult } from '../../api/inbox-types';

/** Each reason once, with the references of its requests, in the order of the first of each. */
export function byReason(refused: BulkResult['refused']): { reason: string; names: string[] }[] {
  const reasons = new Map<string, string[]>();
  for (const { id, reference, detail } of refused) {
    reasons.set(detail, [...(reasons.get(detail) ?? []), reference ?? id]);
  }
  return [...reasons].map(([reason, names]) => ({ reason, names }));
}
