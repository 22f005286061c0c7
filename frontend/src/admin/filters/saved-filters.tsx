// Named filters: addresses of the dashboard with a name, private or shared.

import { useCallback, useEffect, useState } from 'react';
import { deleteFilter, listFilters, type SavedFilter, saveFilter } from '../../api/inbox';
import { Button } from '../../ui/button';
import { type DeskUrl, formatDeskUrl, parseDeskUrl } from '../requests/desk-url';
import { useAuth } from '../session/provider';
import { FieldError, Labeled } from '../ui/field';
import { Popover } from '../ui/popover';
import { useAttempt } from '../ui/use-attempt';
import { FormFault, useSubmit } from '../ui/use-submit';

type Props = { url: DeskUrl } & ReturnType<typeof useSavedFilters>;

export function SavedFilters({ url, filters, change }: Props) {
  const { alert, attempt } = useAttempt();
  const query = savedQuery(url);

  const saving = useSubmit({
    keep: 'filter',
    check: () => ({}),
    async send({ name: typed = '', shared }) {
      const name = typed.trim();
      if (!name) throw new FormFault('Give the filter a name.');
      await change((token) => saveFilter(token, { name, query, shared: shared === 'on' }));
      saving.form.ref.current?.reset();
    },
  });

  return (
    <Popover className="saved-filters" summary="Saved">
      {filters.length === 0 ? <p className="muted">No filter is saved yet.</p> : null}
      <ul>
        {filters.map((filter) => {
          const { id, name, query: saved, shared, own } = filter;
          return (
            <li key={id}>
              <a
                href={saved ? `/admin?${saved}` : '/admin'}
                aria-current={isShown(filter, url) ? 'true' : undefined}
              >
                {name}
                {shared ? <span className="muted"> (shared)</span> : null}
              </a>
              {own ? (
                <Button
                  look="quiet"
                  onClick={() => attempt(() => change((token) => deleteFilter(token, id)))}
                >
                  Delete<span className="visually-hidden"> the filter {name}</span>
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
      <form {...saving.form} className="save-filter">
        <Labeled id="filter-name" label="Save this view as">
          <input id="filter-name" name="name" className="input" maxLength={80} autoComplete="off" />
        </Labeled>
        <label className="field-check">
          <input type="checkbox" name="shared" /> For everybody
        </label>
        <FieldError role="alert" text={alert || saving.alert} />
        <Button type="submit" look="line">
          Save filter
        </Button>
      </form>
    </Popover>
  );
}

// The named filters of the user and the shared ones: addresses of the dashboard.

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
function savedQuery(url: DeskUrl): string {
  return formatDeskUrl({ ...url, request: undefined }).replace(/^\/admin\??/, '');
}

/** Whether the list at a URL is that of a saved filter. */
export function isShown({ query }: SavedFilter, url: DeskUrl): boolean {
  return savedQuery(parseDeskUrl(query)) === savedQuery(url);
}
