// What a key says that can do nothing here.
import type { RequestItem } from '../../api/inbox';
import { awaitsStaff, staffed } from '../requests/actions';
import { isOpen, statusText } from '../requests/format';
import type { Command } from './shortcuts';

const moves: Partial<Record<Command, string>> = {
  accept: 'accepted',
  reject: 'rejected',
  complete: 'completed',
};

/**
 * Why a command did nothing with the open or focused request, and what to do; empty for a key that
 * has nothing to say, as at the end of the list.
 */
export function deadKeyText(command: Command, request: RequestItem | undefined, isOpened: boolean): string {
  const done = moves[command];
  switch (command) {
    case 'undo':
      return 'Nothing to undo: a change can be undone for a minute, a reply for ten seconds.';
    case 'won':
    case 'lost':
    case 'notCustomer':
      return '1, 2 and 3 answer how a request has ended, when that is asked.';
    case 'next':
    case 'previous':
    case 'close':
    case 'letGo':
      return '';
  }
  if (!request) return 'Choose a request first: j is the next one.';
  const { reference } = request;
  if (command === 'release' || command === 'discard') {
    return request.held ? `${reference} is discarded already.` : `${reference} is not held.`;
  }
  if (request.held) return `${reference} is held. Press y to release it, or d to discard it.`;
  if (done && awaitsStaff(request)) return `${reference} waits for “${staffed}”: press a.`;
  if (done) return `${reference} is ${statusText(request.status)}: it cannot be ${done}.`;
  if (command === 'reply') return `${reference} has no email address. Press f to add one.`;
  if (command === 'remind' && !isOpen(request)) {
    return `${reference} is ${statusText(request.status)}: only an open request has a reminder.`;
  }
  if (command === 'makeQuote') return `${reference} is a quote request already.`;
  if (command !== 'offer') return '';
  if (request.kind === 'quote') return isOpened ? '' : `Open ${reference} first: press Enter on it.`;
  return `${reference} is a contact message. Press q to make it a quote request, which can have offers.`;
}
