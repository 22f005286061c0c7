// What stands in place of an empty list; for a search, how many requests the other views have, or
// the nearest words that exist.

import { useEffect, useState } from 'react';
import { listRequests } from '../../api/inbox';
import { viewNames } from '../filters/views';
import { type DeskUrl, filterQuery, formatDeskUrl, pageSize, type View } from '../requests/desk-url';
import { countText } from '../requests/format';
import { countOf } from '../requests/request-list-state';
import { useAuth } from '../session/provider';
import { useDesk } from '../state/use-desk';

/** What each view says when it is empty; the text of `quotes` is the specification's. */
const emptyTexts: Record<View, [text: string, detail: string]> = {
  quotes: ['No quote requests found.', 'The next one appears here by itself.'],
  attention: ['Nothing needs attention.', 'Every open request is answered.'],
  mine: ['Nothing open is assigned to you.', 'Take a request with m, or Take it.'],
  messages: ['No messages found.', 'The next one appears here by itself.'],
  everything: ['No requests found.', 'The next one appears here by itself.'],
  held: ['No requests are held.', 'What looks like spam waits here for 30 days.'],
};

export function EmptyList() {
  const { url, store } = useDesk();
  // Emails that belong to no request count in "Needs attention".
  const unmatched = store.state.list?.views.unmatched ?? 0;
  const [empty, detail] = emptyTexts[url.view];
  const text = url.view === 'attention' && unmatched > 0 ? 'No request needs attention.' : empty;
  const { q } = url.filters;
  const filtered = Object.keys(url.filters).length > 0;
  const all = url.view === 'quotes' ? '/admin' : `/admin?view=${url.view}`;
  return (
    <div className="empty">
      <p>{text}</p>
      {q && isWords(q) ? <Elsewhere url={url} search={q} /> : null}
      {q && !isWords(q) ? <p>A search needs a letter or a digit.</p> : null}
      {filtered ? (
        <p>
          <a href={all}>Show all requests</a>
        </p>
      ) : (
        <p className="muted">{detail}</p>
      )}
    </div>
  );
}

/** Whether a search has a word: what the server splits has letters or digits. */
const isWords = (search: string) => /[\p{L}\p{N}]/u.test(search);

/** Where else a search looks: these three have every request once. */
const searched = ['quotes', 'messages', 'held'] as const;

type Found = { view: View; count: number; atLeast: boolean };
type Pages = { found: Found[]; nearest?: string | null };

function Elsewhere({ url, search }: { url: DeskUrl; search: string }) {
  const { manager } = useAuth();
  const [{ found, nearest }, setPages] = useState<Pages>({ found: [] });
  useEffect(() => {
    let wanted = true;
    setPages({ found: [] });
    let nearest: string | null = null;
    const count = async (view: View): Promise<Found> => {
      const query = { ...filterQuery({ view, filters: { q: search } }), limit: pageSize };
      const page = await manager.withToken(listRequests, query);
      nearest ??= page.search_nearest ?? null;
      return { view, ...countOf(page) };
    };
    const others = searched.filter((view) => view !== url.view || Object.keys(url.filters).length > 1);
    // If the call fails, the other views are left out.
    Promise.all(others.map(count)).then(
      (counts) => wanted && setPages({ found: counts.filter(({ count }) => count > 0), nearest }),
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [manager, search, url.view]);
  if (found.length === 0 && !nearest) return null;
  if (found.length === 0)
    return (
      <p role="status">
        No request has these words. The nearest that some have:{' '}
        <a
          href={formatDeskUrl({ ...url, filters: { ...url.filters, q: nearest ?? '' }, request: undefined })}
        >
          {nearest}
        </a>
      </p>
    );
  return (
    <p role="status">
      Found elsewhere:{' '}
      {found.map(({ view, count, atLeast }) => (
        <a
          key={view}
          className="elsewhere"
          href={formatDeskUrl({ view, filters: { q: search }, request: undefined })}
        >
          {`${countText(count, atLeast)} in ${viewNames[view]}`}
        </a>
      ))}
    </p>
  );
}
