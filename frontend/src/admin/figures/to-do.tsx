// What needs doing, the most urgent first, each with a way to it.
import type { InboxQuery } from '../../api/inbox';
import { useCounts } from '../inbox/use-counts';
import { formatDeskUrl } from '../requests/desk-url';
import { useSystem } from '../state/use-system';
import { useToDo } from './use-figures';

const queries: readonly InboxQuery[] = [
  { attention: 'true', emergency: 'true' },
  { overdue: 'true' },
  { unread: 'true' },
];

type Item = { text: string; href?: string | undefined; urgent?: boolean };

const attention = (filters: object) => formatDeskUrl({ view: 'attention', filters, request: undefined });
const many = (count: number, one: string, more: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;

export function ToDoList() {
  const counts = useCounts(queries);
  const system = useSystem();
  const toDo = useToDo();
  const isKnown = counts && system && toDo;
  const items = isKnown ? itemsOf(counts, system, toDo) : [];
  return (
    <section className="to-do" aria-labelledby="to-do-title">
      <h2 id="to-do-title">What needs doing</h2>
      {isKnown ? null : <p role="status">Loading</p>}
      {isKnown && items.length === 0 ? <p className="to-do-none">Nothing waits for you.</p> : null}
      <ul>
        {items.map(({ text, href, urgent }) => (
          <li key={text} className={urgent ? 'urgent' : undefined}>
            {href ? <a href={href}>{text}</a> : text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function itemsOf(
  counts: NonNullable<ReturnType<typeof useCounts>>,
  system: NonNullable<ReturnType<typeof useSystem>>,
  toDo: NonNullable<ReturnType<typeof useToDo>>,
): Item[] {
  const [emergencies, overdue, unread] = counts.map(({ count }) => count);
  const items: Item[] = [];
  const add = (count: number | undefined, one: string, more: string, href: string, urgent = false) => {
    if (count) items.push({ text: many(count, one, more), href, urgent });
  };
  const emergencyList = attention({ emergency: 'true' });
  add(emergencies, 'emergency waits for a call', 'emergencies wait for a call', emergencyList, true);
  add(overdue, 'request is overdue', 'requests are overdue', attention({ overdue: 'true' }), true);
  add(
    toDo.offers_unconfirmed,
    'accepted offer is not staffed yet',
    'accepted offers are not staffed yet',
    '/admin?view=offers&show=accepted',
    true,
  );
  add(
    unread,
    'customer has written, and nobody has read it',
    'customers have written, and nobody has read it',
    attention({ unread: 'true' }),
  );
  add(
    toDo.offers_expiring,
    'offer ends within a week',
    'offers end within a week',
    '/admin?view=offers&show=waiting',
  );
  for (const text of system.problems)
    items.push({ text, href: placeOf(text), urgent: text.startsWith('Nobody ') });
  if (system.backups_missing) items.push({ text: 'No backups are made: set backup.to in config.toml.' });
  add(toDo.sample_requests, 'sample request is left', 'sample requests are left', '/admin?view=everything');
  if (toDo.has_sample_rates) items.push({ text: 'Offers are made with sample rates.', href: '/admin/rates' });
  if (toDo.sample_facts.length > 0)
    items.push({
      text: `The site shows a sample ${toDo.sample_facts.join(', ').replaceAll('_', ' ')}.`,
      href: '/admin/site',
    });
  return items;
}

/** Where a problem of the system is seen to; undefined for those of the machine. */
function placeOf(problem: string): string | undefined {
  if (problem.startsWith('Nobody ')) return '/admin/on-call';
  return problem.includes(' license ') ? '/admin/site' : undefined;
}
