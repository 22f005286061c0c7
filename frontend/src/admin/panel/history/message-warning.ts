// Why the author of a message may not be the customer, and whether our last email came back.
import type { HistoryEvent } from '../../../api/inbox-types';
import type { MessageDetail } from '../../../api/mail';

/** What to be careful about; empty if the customer wrote it, as far as that can be verified. */
export function messageWarning({ via, from, known, verified }: MessageDetail): string {
  if (via === 'page' || via === 'offer') return '';
  if (!from) return 'It has no single author. It may be forged.';
  if (known === false) return `From ${from}, which is not the customer's address.`;
  if (!verified) return 'The sender is not verified: anybody can write this address.';
  return '';
}

/** The words of the mail server about the last email to the customer, if it came back. */
export function returned(history: HistoryEvent[], email: string): string | undefined {
  const sent = history.filter(({ verb, detail }) => {
    const { to } = (detail ?? {}) as { to?: string };
    return (verb === 'replied' || verb === 'emailed') && to?.toLowerCase() === email.toLowerCase();
  });
  const last = sent.at(-1)?.detail as { state?: string; bounced?: number; error?: string } | undefined;
  return last?.bounced && last.state === 'failed' ? (last.error ?? '') : undefined;
}

/** The subject of an answer to the customer's last message, or else of the first reply. */
export function answerSubject(history: HistoryEvent[], reference: string): string {
  const written = history.filter(({ verb }) => verb === 'wrote').at(-1);
  const { subject } = (written?.detail ?? {}) as MessageDetail;
  if (!subject) return `Your request ${reference}`;
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}
