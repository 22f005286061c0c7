// The emails that could not be delivered, in a box beside the sentence that counts them.
import { useEffect, useState } from 'react';
import { listUndelivered, type UndeliveredEmail } from '../../api/system';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
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
  const { manager } = useAuth();
  const [emails, setEmails] = useState<UndeliveredEmail[]>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    manager.withToken(listUndelivered).then(
      (found) => setEmails(found.emails),
      () => setFailed(true),
    );
  }, [manager]);
  if (failed) return <p>They could not be loaded. Please try again.</p>;
  if (!emails) return <p role="status">Loading</p>;
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
