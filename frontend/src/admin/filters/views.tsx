// The views of the dashboard, each with its count.
import type { ViewCounts } from '../../api/inbox-types';
import { type DeskUrl, formatDeskUrl, type View, views } from '../requests/desk-url';

export const viewNames: Record<View, string> = {
  quotes: 'All quotes',
  attention: 'Needs attention',
  mine: 'Mine',
  messages: 'Messages',
  everything: 'Everything',
  held: 'Held',
};

export function Views({ url, counts }: { url: DeskUrl; counts: ViewCounts | undefined }) {
  return (
    <nav className="views" aria-label="Views">
      {views.map((view) => (
        <a
          key={view}
          href={formatDeskUrl({ view, filters: {}, request: undefined })}
          aria-current={view === url.view ? 'true' : undefined}
        >
          {viewNames[view]}{' '}
          <span className="filter-count">{counts?.[view].toLocaleString('en-US') ?? ' '}</span>
        </a>
      ))}
      <a href="/admin?view=unmatched">
        Unmatched <span className="filter-count">{counts?.unmatched.toLocaleString('en-US') ?? ' '}</span>
      </a>
    </nav>
  );
}
