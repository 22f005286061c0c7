// The saved filters as tabs beside the views, each with its count.
import { useMemo } from 'react';
import type { SavedFilter } from '../../api/inbox-types';
import { isShown } from '../filters/use-saved-filters';
import { type DeskUrl, listQuery, parseDeskUrl, unsorted } from '../requests/desk-url';
import { useCounts } from './use-counts';

/** More have no room above the list; they are in the menu. */
const maxTabs = 6;

export function SavedTabs({ url, filters }: { url: DeskUrl; filters: SavedFilter[] }) {
  const shown = useMemo(() => filters.slice(0, maxTabs), [filters]);
  const queries = useMemo(() => shown.map(({ query }) => listQuery(unsorted(parseDeskUrl(query)))), [shown]);
  const counts = useCounts(queries);
  return shown.map((filter, at) => {
    const { id, name, query } = filter;
    const found = counts?.[at];
    return (
      <a
        key={id}
        className="saved-tab"
        href={query ? `/admin?${query}` : '/admin'}
        aria-current={isShown(filter, url) ? 'true' : undefined}
      >
        <span className="saved-name">{name}</span>{' '}
        <span className="filter-count">
          {found
            ? `${found.count.toLocaleString('en-US')}${found.atLeast && found.count > 0 ? '+' : ''}`
            : ' '}
        </span>
      </a>
    );
  });
}
