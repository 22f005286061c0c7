// A message of a customer: the words, quoted history one press away, its files, and what to be
// careful about.

import { eventsOf, type HistoryEvent } from '../../../api/inbox';
import { linkMessageFile, type MessageDetail, type MessageFile } from '../../../api/mail';
import { sizeText } from '../../../content/file-size';
import { Button } from '../../../ui/button';
import { useAuth } from '../../session/provider';
import { errorToast } from '../../ui/use-submit';
import { CallableText } from '../callable-text';

export function Message({ detail }: { detail: MessageDetail }) {
  const { text, folded, files = [], email } = detail;
  const warning = messageWarning(detail);
  return (
    <div className="message">
      {warning ? <p className="message-warning">{warning}</p> : null}
      {messageNotes(detail).map((note) => (
        <p key={note} className="message-note">
          {note}
        </p>
      ))}
      <p className={text ? 'panel-words' : 'muted'}>{text ? <CallableText text={text} /> : 'No text.'}</p>
      {folded ? (
        <details>
          <summary>Earlier messages and signature</summary>
          <p className="panel-words muted">{folded}</p>
        </details>
      ) : null}
      {files.length || email ? (
        <ul className="message-files">
          {files.map((file, at) => (
            <li key={`${at}${file.name}`}>
              <File file={file} />
            </li>
          ))}
          {email ? (
            <li>
              <OpenFile name="Whole email" of={`${email}/message.eml`} />
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}

function File({ file }: { file: MessageFile }) {
  const shown = `${file.name} (${sizeText(file.size)})`;
  if (file.key) return <OpenFile name={shown} of={file.key} className="file-name" />;
  const where = file.size > 0 ? ', it is in the whole email' : '. Ask for it again.';
  return <span className="muted">{`${shown}: ${file.refused}${where}`}</span>;
}

function OpenFile({ name, of, className = '' }: { name: string; of: string; className?: string }) {
  const { manager } = useAuth();
  const open = () =>
    manager
      .withToken(linkMessageFile, of)
      .then((link) => window.location.assign(`${link}&download=`), errorToast('Not opened'));
  return (
    <Button look="quiet" className={`button-small ${className}`.trim()} onClick={open}>
      {name}
    </Button>
  );
}

// What a reader of an email should know beside its words: its marks, and what is left out of it.

const marks: Record<NonNullable<MessageDetail['marks']>[number], string> = {
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

// Why the author of a message may not be the customer, and whether our last email came back.

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
  const sent = [...eventsOf(history, 'replied'), ...eventsOf(history, 'emailed')]
    .filter(({ detail }) => detail.to.toLowerCase() === email.toLowerCase())
    .sort((one, other) => one.id - other.id);
  const last = sent.at(-1)?.detail;
  return last?.bounced && last.state === 'failed' ? (last.error ?? '') : undefined;
}

/** The subject of an answer to the customer's last message, or else of the first reply. */
export function answerSubject(history: HistoryEvent[], reference: string): string {
  const subject = eventsOf(history, 'wrote').at(-1)?.detail.subject;
  if (!subject) return `Your request ${reference}`;
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}
