// Looks a caller up by their earlier requests, while the number or the address is typed.
import { useEffect, useState } from 'react';
import { listRequests } from '../../api/inbox';
import type { InboxPage, RequestItem } from '../../api/inbox-types';
import { telLink } from '../requests/format';
import { useAuth } from '../session/provider';
import { type Known, knownBy, type Typed } from './known-by';

/** Milliseconds without a keystroke after which the caller is looked up. */
const pause = 250;
/** Milliseconds until an incomplete search is repeated. */
const again = 1000;
/** Requests of a caller that are counted. */
const most = 50;

/** A caller with earlier requests, newest first, and the field that names them. */
export type KnownCaller = {
  by: Known['by'] | undefined;
  requests: RequestItem[];
  /** Whether there may be more requests. */
  more: boolean;
};

const unknown: KnownCaller = { by: undefined, requests: [], more: false };

export function useKnownCustomer({ phone, email }: Typed): KnownCaller {
  const { manager } = useAuth();
  const [caller, setCaller] = useState(unknown);
  const tried = knownBy({ phone, email });
  const key = tried.map(({ query }) => query).join('\n');
  useEffect(() => {
    setCaller(unknown);
    if (!key) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const search = (query: string): Promise<InboxPage> =>
      manager.withToken(listRequests, { q: query, limit: `${most}` }, abort.signal);
    const look = async () => {
      let incomplete = false;
      try {
        for (const known of tried) {
          const page = await search(known.query);
          const requests = page.requests.filter((request) => isOf(request, known));
          incomplete ||= page.search_incomplete;
          if (requests.length > 0) {
            return setCaller({ by: known.by, requests, more: page.next_cursor !== null });
          }
        }
        // The newest requests may be missing from the search.
        if (incomplete) timer = setTimeout(look, again);
      } catch {
        // Without an answer the form is that of an unknown customer.
      }
    };
    timer = setTimeout(look, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [manager, key]);
  return caller;
}

function isOf(request: RequestItem, { by, query }: Known): boolean {
  if (by === 'email') return request.email.toLowerCase() === query.toLowerCase();
  return telLink(request.phone) === telLink(query);
}
