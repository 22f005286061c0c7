// Who has sent a file of a request, by its history.
import type { HistoryEvent, RequestFile } from '../../../api/inbox-types';
import type { MessageDetail } from '../../../api/mail';
import { personName } from '../../requests/format';

/** The sender of a file: a colleague, the author of an email, or the customer. */
export function sentBy({ bucket, key, by_visitor }: RequestFile, history: HistoryEvent[]): string {
  const added = history.findLast(({ detail }) => (detail as { key?: string } | null)?.key === key);
  if (!by_visitor) return added?.actor ? personName(added.actor) : 'us';
  if (bucket !== 'mail') return 'the customer';
  // Files of an email lie in a folder with its id.
  const [folder] = key.split('/');
  const email = history
    .map(({ detail }) => detail as MessageDetail | null)
    .find((it) => it?.email === folder);
  return `${email?.name || email?.from || 'the customer'} by email`;
}

/** The line of the folded list; it does not hide an infected file. */
export function filesTitle(files: RequestFile[]): string {
  const infected = files.filter(({ scan }) => scan === 'infected').length;
  return `Files (${files.length})${infected ? `, ${infected} infected` : ''}`;
}
