// To which address a reply goes: the customer's, or one at which a message asks for its answer
// (Reply-To).
import type { HistoryEvent } from '../../../api/inbox-types';
import type { MessageDetail } from '../../../api/mail';
import { unansweredMessage } from '../history/unanswered-message';

const askedBy = ({ detail }: HistoryEvent) => (detail as MessageDetail | undefined)?.reply_to ?? '';

/** The customer's address first, then those of messages; each once. */
export function answerAddresses(history: HistoryEvent[], customer: string): string[] {
  const asked = history.filter(({ verb }) => verb === 'wrote').map(askedBy);
  const all = [customer, ...asked.reverse()].filter(Boolean);
  const seen = new Set<string>();
  return all.filter((address) => !seen.has(address.toLowerCase()) && seen.add(address.toLowerCase()));
}

/**
 * The address that is chosen at first: that of the message which waits if it is verified that the
 * customer wrote it. Others may ask for an answer to them.
 */
export function firstAddress(history: HistoryEvent[], customer: string): string {
  const waiting = unansweredMessage(history);
  const { counts } = (waiting?.detail ?? {}) as { counts?: boolean };
  return (waiting && (counts || !customer) && askedBy(waiting)) || customer;
}
