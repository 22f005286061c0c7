// What burns: the emergencies that wait for a call and what is overdue, each a way to its list.
import type { InboxQuery } from '../../api/inbox';
import { formatDeskUrl } from '../requests/desk-url';
import { type Count, useCounts } from './use-counts';

const queries: readonly InboxQuery[] = [{ attention: 'true', emergency: 'true' }, { overdue: 'true' }];

export function Burning() {
  const [emergencies, overdue] = useCounts(queries) ?? [];
  if (!emergencies || !overdue) return <p className="burning" />;
  const none = emergencies.count + overdue.count === 0;
  return (
    <p className={none ? 'burning muted' : 'burning'}>
      {none ? 'No emergency waits, and nothing is overdue.' : null}
      {emergencies.count ? (
        <a className="burning-now" href={formatDeskUrl({ ...attention, filters: { emergency: 'true' } })}>
          {text(emergencies, 'emergency open', 'emergencies open')}
        </a>
      ) : null}
      {overdue.count ? (
        <a href={formatDeskUrl({ ...attention, filters: { overdue: 'true' } })}>
          {text(overdue, 'overdue', 'overdue')}
        </a>
      ) : null}
    </p>
  );
}

const attention = { view: 'attention', request: undefined } as const;

function text({ count, atLeast }: Count, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')}${atLeast ? '+' : ''} ${many}`;
}
