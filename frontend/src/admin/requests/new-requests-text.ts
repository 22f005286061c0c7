// How many requests wait behind the button over the list: new ones, known ones whose customer has
// written, and how many of both want a call.
import type { RequestItem } from '../../api/inbox-types';
import { pageSize } from './desk-url';
import { awaitsCall } from './format';

/** As in "3 new requests, 1 new message, 1 emergency"; empty without any. */
export function newRequestsText(unseen: readonly RequestItem[]): string {
  const written = unseen.filter(({ unread }) => unread).length;
  const emergencies = unseen.filter(awaitsCall).length;
  // Only the first page is looked at.
  const more = unseen.length >= Number(pageSize) ? '+' : '';
  const parts = [
    counted(unseen.length - written, 'new request', more),
    counted(written, 'new message', more),
    unseen.length === 1 && emergencies === 1 ? 'an emergency' : emergencyText(emergencies),
  ];
  return parts.filter(Boolean).join(', ');
}

function counted(count: number, noun: string, more: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${noun}` : `${count}${more} ${noun}s`;
}

function emergencyText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 emergency' : `${count} emergencies`;
}
