// The views of the dashboard, each with its count.
import { type ReactNode, useRef } from 'react';
import type { ViewCounts } from '../../api/inbox';
import { formatDeskUrl, type View, views } from '../requests/desk-url';
import { useCurrentInView } from '../ui/use-current-in-view';

export const viewNames: Record<View, string> = {
  quotes: 'All quotes',
  attention: 'Needs attention',
  mine: 'Mine',
  messages: 'Messages',
  everything: 'Everything',
  held: 'Held',
};

type Props = {
  /** The view that is shown. */
  here: View | 'unmatched';
  counts: ViewCounts | undefined;
  /** Further tabs. */
  children?: ReactNode;
};

export function Views({ here, counts, children }: Props) {
  // Decided once: no tab moves while a person works.
  const hasOwn = useRef<boolean>(undefined);
  if (counts) hasOwn.current ??= counts.mine > 0;
  const mineFirst = hasOwn.current ? (['mine', ...views.filter((view) => view !== 'mine')] as const) : views;
  return (
    <nav className="views" aria-label="Views" ref={useCurrentInView()}>
      {mineFirst.map((view) => (
        <a
          key={view}
          href={formatDeskUrl({ view, filters: {}, request: undefined })}
          aria-current={view === here ? 'true' : undefined}
        >
          {viewNames[view]}{' '}
          <span className="filter-count">{counts?.[view].toLocaleString('en-US') ?? ' '}</span>
        </a>
      ))}
      <a href="/admin?view=unmatched" aria-current={here === 'unmatched' ? 'true' : undefined}>
        Unmatched <span className="filter-count">{counts?.unmatched.toLocaleString('en-US') ?? ' '}</span>
      </a>
      {children}
    </nav>
  );
}
