// The status of a quote as a colored label (specification section 4).
import { statuses } from '../../api/inbox';
import { statusText } from './format';

export function Badge({ status }: { status: string }) {
  const known = (statuses as readonly string[]).includes(status) ? status : 'other';
  return <span className={`badge badge-${known}`}>{statusText(status)}</span>;
}
