// A message of a customer: the words, quoted history one press away, its files, and what to be
// careful about.
import { linkMessageFile, type MessageDetail, type MessageFile } from '../../../api/mail';
import { sizeText } from '../../../content/file-size';
import { Button } from '../../../ui/button';
import { toast } from '../../../ui/toast';
import { useAuth } from '../../session/provider';
import { errorMessage } from '../../ui/use-submit';
import { CallableText } from '../callable-text';
import { messageNotes } from './message-notes';
import { messageWarning } from './message-warning';

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
  async function open() {
    try {
      const link = await manager.withToken(linkMessageFile, of);
      window.location.assign(`${link}&download=`);
    } catch (error) {
      toast({ title: 'Not opened', detail: errorMessage(error), destructive: true });
    }
  }
  return (
    <Button look="quiet" className={`button-small ${className}`.trim()} onClick={open}>
      {name}
    </Button>
  );
}
