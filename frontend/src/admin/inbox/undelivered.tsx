// The emails that could not be delivered, in a box beside the sentence that counts them.
import { listUndelivered, type UndeliveredEmail } from '../../api/system';
import { dateTime } from '../requests/format';
import { useRead } from '../session/use-read';
import { Popover } from '../ui/popover';

/** Whether a problem is about emails, as in "1 email could not be delivered." */
export function isAboutEmails(problem: string): boolean {
  return /^\d+ emails? /.test(problem);
}

type Props = { hrefOf(request: string): string };

export function Undelivered({ hrefOf }: Props) {
  return (
    <Popover className="undelivered" summary="View">
      <List hrefOf={hrefOf} />
    </Popover>
  );
}

function List({ hrefOf }: Props) {
  const { found, problem } = useRead(listUndelivered);
  if (problem) return <p>They could not be loaded. Please try again.</p>;
  if (!found) return <p role="status">Loading</p>;
  const { emails } = found;
  if (emails.length === 0) return <p>All emails have been delivered since.</p>;
  return (
    <ul>
      {emails.map((email) => (
        <li key={email.id}>
          <strong>{nameOf(email)}</strong> to {email.recipient || 'the office'}, {dateTime(email.created_at)}.{' '}
          {email.error} {email.request ? <a href={hrefOf(email.request)}>Open the request</a> : null}
        </li>
      ))}
    </ul>
  );
}

/** `office_address` is "Office address". */
function nameOf({ kind }: UndeliveredEmail): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;
}
