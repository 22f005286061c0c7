// What a reader of an email should know beside its words: its marks, and what is left out of it.
import type { MessageDetail } from '../../../api/mail';

/** The marks of the server (src/domain/email/received_email.rs). */
const marks: Record<string, string> = {
  bulk: 'Sent through a list or by a program. A person may have written it.',
  away: 'The sender seems to be away. It starts no clock.',
  possible_failure: 'An email of ours may not have been delivered. Check the address, or call.',
  complaint: 'The recipient has reported an email of ours as spam.',
  encrypted: 'Encrypted: it can be read only by a mail program that has the key. Open the whole email there.',
  signed_file: 'Its words are inside a signed file (S/MIME). Open the whole email in a mail program.',
  outlook_file: 'Outlook has put its words or files into winmail.dat. Open it in Outlook, or ask again.',
  unreadable: 'It could not be read here. Open the whole email in a mail program.',
};

/** A sentence for each; empty if there is nothing to say. */
export function messageNotes({
  marks: found = [],
  left_out: leftOut = 0,
  cut,
  reply_to: answerTo,
}: MessageDetail): string[] {
  const notes = found.flatMap((mark) => marks[mark] ?? []);
  if (answerTo) notes.push(`Asks for the answer at ${answerTo}.`);
  if (leftOut > 0)
    notes.push(`${leftOut === 1 ? '1 more file is' : `${leftOut} more files are`} only in the whole email.`);
  if (cut) notes.push('Only its beginning is shown. The rest is in the whole email.');
  return notes;
}
