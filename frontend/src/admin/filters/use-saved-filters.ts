// The named filters of the user and the shared ones: addresses of the dashboard.
import { useCallback, useEffect, useState } from 'react';
import { listFilters } from '../../api/inbox';
import type { SavedFilter } from '../../api/inbox-types';
import { type DeskUrl, formatDeskUrl, parseDeskUrl } from '../requests/desk-url';
import { useAuth } from '../session/provider';

/** `change` runs a call that changes them, and reads them again. */
export function useSavedFilters() {
  const { manager } = useAuth();
  const [filters, setFilters] = useState<SavedFilter[]>([]);
  const load = useCallback(async () => setFilters((await manager.withToken(listFilters)).filters), [manager]);
  useEffect(() => {
    // Supplementary data: an error is not shown.
    load().catch(() => {});
  }, [load]);
  const change = useCallback(
    async (job: (token: string) => Promise<unknown>) => {
      await manager.withToken(job);
      await load();
    },
    [manager, load],
  );
  return { filters, change };
}

/** The query of the list at a URL, as a saved filter has it. */
export function savedQuery(url: DeskUrl): string {
  return formatDeskUrl({ ...url, request: undefined }).replace(/^\/admin\??/, '');
}

/** Whether the list at a URL is that of a saved filter. */
export function isShown({ query }: SavedFilter, url: DeskUrl): boolean {
  return savedQuery(parseDeskUrl(query)) === savedQuery(url);
}
