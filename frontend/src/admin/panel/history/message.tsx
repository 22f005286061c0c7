// A message of a customer: the words, quoted history one press away, its files, and what to be
// careful about.
import { linkMessageFile, type MessageDetail, type MessageFile } from '../../../api/mail';
import { sizeText } from '../../../content/file-size';
import { Button } from '../../../ui/button';
import { toast } from '../../../ui/toast';
import { useAuth } from '../../session/provider';
import { errorMessage } from '../../ui/use-submit';
import { CallableText } from '../callable-text';
import { messageWarning } from './message-warning';

export function Message({ detail }: { detail: MessageDetail }) {
  const { text, folded, files = [], email, cut } = detail;
  const warning = messageWarning(detail);
  return (
    <div className="message">
      {warning ? <p className="message-warning">{warning}</p> : null}
      <p className={text ? 'panel-words' : 'muted'}>{text ? <CallableText text={text} /> : 'No text.'}</p>
      {folded ? (
        <details>
          <summary>Quoted text and signature</summary>
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
              <OpenFile
                name={cut ? 'Open the whole email: only its beginning is shown' : 'Whole email'}
                of={`${email}/message.eml`}
              />
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}

function File({ file }: { file: MessageFile }) {
  if (file.key) return <OpenFile name={`${file.name} (${sizeText(file.size)})`} of={file.key} />;
  return (
    <span className="muted">{`${file.name} (${sizeText(file.size)}): ${file.refused}, it is in the whole email`}</span>
  );
}

function OpenFile({ name, of }: { name: string; of: string }) {
  const { manager } = useAuth();
  async function open() {
    try {
      const link = await manager.withToken((token) => linkMessageFile(token, of));
      window.location.assign(`${link}&download=`);
    } catch (error) {
      toast({ title: 'Not opened', detail: errorMessage(error), destructive: true });
    }
  }
  return (
    <Button look="quiet" className="button-small" onClick={open}>
      {name}
    </Button>
  );
}
