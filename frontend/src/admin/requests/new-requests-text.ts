// How many requests wait behind the button over the list, and how many of them want a call.
import type { RequestItem } from '../../api/inbox-types';
import { pageSize } from './desk-url';
import { awaitsCall } from './format';

/** As in "3 new requests, 1 emergency"; empty without any. */
export function newRequestsText(unseen: readonly RequestItem[]): string {
  const count = unseen.length;
  if (count === 0) return '';
  const emergencies = unseen.filter(awaitsCall).length;
  // Only the first page is looked at.
  const more = count >= Number(pageSize) ? '+' : '';
  const text = count === 1 ? '1 new request' : `${count}${more} new requests`;
  if (emergencies === 0) return text;
  if (count === 1) return `${text}, an emergency`;
  return `${text}, ${emergencies === 1 ? '1 emergency' : `${emergencies} emergencies`}`;
}
