// Named filters: addresses of the dashboard with a name, private or shared.
import { useState } from 'react';
import { deleteFilter, saveFilter } from '../../api/inbox';
import { Button } from '../../ui/button';
import type { DeskUrl } from '../requests/desk-url';
import { FieldError } from '../ui/field';
import { Popover } from '../ui/popover';
import { errorMessage, FormFault, useSubmit } from '../ui/use-submit';
import { isShown, savedQuery, type useSavedFilters } from './use-saved-filters';

type Props = { url: DeskUrl } & ReturnType<typeof useSavedFilters>;

export function SavedFilters({ url, filters, change }: Props) {
  const [alert, setAlert] = useState('');
  const query = savedQuery(url);

  async function attempt(job: (token: string) => Promise<unknown>) {
    setAlert('');
    try {
      await change(job);
    } catch (error) {
      setAlert(errorMessage(error));
    }
  }

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
    <Popover className="saved-filters" summary="Saved filters">
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
                <Button look="quiet" onClick={() => attempt((token) => deleteFilter(token, id))}>
                  Delete<span className="visually-hidden"> the filter {name}</span>
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
      <form {...saving.form} className="save-filter">
        <div className="field">
          <label htmlFor="filter-name">Save this view as</label>
          <input id="filter-name" name="name" className="input" maxLength={80} autoComplete="off" />
        </div>
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
