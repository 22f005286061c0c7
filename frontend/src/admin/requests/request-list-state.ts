// The dashboard's requests: one map of all that were read, and the list that is shown. Only the
// user's own actions add or move rows; changes by others update a row in place or wait behind a
// button.
import {
  type Counts,
  type FoundIn,
  type InboxPage,
  type RequestChange,
  type RequestItem,
  type Status,
  statuses,
  type ViewCounts,
} from '../../api/inbox';
import { serverNow } from '../../api/server-clock';
import type { View } from './desk-url';

export type RequestsState = {
  /** Every request that was read, by id. */
  requests: ReadonlyMap<string, RequestItem>;
  /** Undefined until the first page was read. */
  list: RequestList | undefined;
};

export type RequestList = {
  view: View;
  /** When its first page was read, by the server's clock. */
  readAt: number;
  /** Ids in the order shown. */
  ids: readonly string[];
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null;
  counts: Counts;
  /** There may be more than `counts` says. */
  countsAtLeast: boolean;
  views: ViewCounts;
  /** Ids of new requests, not shown until the user asks for them. */
  unseen: readonly string[];
  /** Ids of rows that were new when the user asked for them: they are marked. */
  fresh: ReadonlySet<string>;
  /** Where a search has found requests, if their rows do not show it. */
  found: ReadonlyMap<string, FoundIn>;
  /** Ids of rows that have left the filter and stay until the list is loaded again. */
  left: ReadonlySet<string>;
  /** The search index did not include the newest requests yet. */
  incomplete: boolean;
};

export const noRequests: RequestsState = { requests: new Map(), list: undefined };

/** The requests of the list, in its order. */
export function listedRequests({ requests, list }: RequestsState): RequestItem[] {
  return (list?.ids ?? []).flatMap((id) => requests.get(id) ?? []);
}

/** The id of a request by its id or reference. */
export function idOf({ requests }: RequestsState, idOrReference: string | undefined): string | undefined {
  if (idOrReference === undefined || requests.has(idOrReference)) return idOrReference;
  const wanted = idOrReference.toUpperCase();
  return [...requests.values()].find(({ reference }) => reference === wanted)?.id ?? idOrReference;
}

/** Shows a first page. What was new in the same list is marked from now on. */
export function showFirstPage(state: RequestsState, page: InboxPage, view: View): RequestsState {
  const unseen = new Set(state.list?.view === view ? state.list.unseen : []);
  const ids = page.requests.map(({ id }) => id);
  return {
    requests: withRequests(state.requests, page.requests),
    list: {
      view,
      readAt: serverNow(),
      ids,
      fresh: new Set(ids.filter((id) => unseen.has(id))),
      found: withFound(new Map(), page),
      nextCursor: page.next_cursor ?? null,
      ...numbersOf(page),
      unseen: [],
      left: new Set(),
      incomplete: page.search_incomplete,
    },
  };
}

/** Appends the next page. A request that is already listed stays in its position. */
export function appendPage(state: RequestsState, page: InboxPage): RequestsState {
  if (!state.list) return state;
  const known = new Set(state.list.ids);
  const below = page.requests.map(({ id }) => id).filter((id) => !known.has(id));
  return {
    requests: withRequests(state.requests, page.requests),
    list: {
      ...state.list,
      ids: [...state.list.ids, ...below],
      found: withFound(state.list.found, page),
      nextCursor: page.next_cursor ?? null,
      ...numbersOf(page),
    },
  };
}

/** Milliseconds by which the time of a reading may be wrong: the answer took a while. */
const tolerance = 5000;

/** Whether a request has come, or its customer has written, since the list was read. */
function isSince({ readAt }: RequestList, request: RequestItem): boolean {
  const { created_at: created, waiting_since: unanswered } = request;
  return Math.max(Date.parse(created), Date.parse(unanswered ?? created)) > readAt - tolerance;
}

/**
 * Applies a read of the first page: updates rows in place and collects new ids. `gone` lists rows
 * that the page should hold but does not, because they were moved out of this filter since.
 */
export function applyPoll(state: RequestsState, page: InboxPage): { state: RequestsState; gone: string[] } {
  const { list } = state;
  if (!list) return { state, gone: [] };
  const known = new Set(list.ids);
  const read = page.requests.map(({ id }) => id);
  const fresh = new Set(read);
  // What the page has below the last row of the list was there before, unless the list goes further
  // or it has come since.
  const lastKnown = read.findLastIndex((id) => known.has(id));
  const isWithin = !list.nextCursor || list.ids.length > read.length || lastKnown < 0;
  const isNew = (at: number) => isWithin || at < lastKnown || isSince(list, page.requests[at] as RequestItem);
  const unseen = read.filter((id, at) => !known.has(id) && isNew(at));
  const stay = list.ids.filter((id) => !list.left.has(id));
  const expected = page.next_cursor ? stay.slice(0, read.length - unseen.length) : stay;
  const gone = expected.filter((id) => !fresh.has(id));
  return {
    state: {
      requests: withRequests(state.requests, page.requests),
      list: {
        ...list,
        ...numbersOf(page),
        incomplete: page.search_incomplete,
        found: withFound(list.found, page),
        left: new Set([...list.left, ...gone].filter((id) => !fresh.has(id))),
        unseen,
      },
    },
    gone,
  };
}

/** Stores a request that was read or changed; its row stays in its position. */
export function putRequest(state: RequestsState, request: RequestItem): RequestsState {
  return { ...state, requests: withRequests(state.requests, [request]) };
}

/**
 * Puts new requests that this user has brought back into the list, each below the one that it
 * follows in the page that was read; others wait until they are asked for.
 */
export function takeIn(state: RequestsState, own: ReadonlySet<string>, page: InboxPage): RequestsState {
  const { requests, list } = state;
  const back = list?.unseen.filter((id) => own.has(id)) ?? [];
  if (!list || back.length === 0) return state;
  const read = page.requests.map(({ id }) => id);
  const ids = [...list.ids];
  for (const id of back) {
    const above = read.slice(0, read.indexOf(id)).findLast((other) => ids.includes(other));
    ids.splice(above === undefined ? 0 : ids.indexOf(above) + 1, 0, id);
  }
  return { requests, list: { ...list, ids, unseen: list.unseen.filter((id) => !own.has(id)) } };
}

/** Removes a request that was deleted. */
export function dropRequest(state: RequestsState, id: string): RequestsState {
  const requests = new Map(state.requests);
  requests.delete(id);
  const { list } = state;
  if (!list) return { requests, list };
  const others = (ids: readonly string[]) => ids.filter((listed) => listed !== id);
  return { requests, list: { ...list, ids: others(list.ids), unseen: others(list.unseen) } };
}

/** Stores a request whose status this user changed, and adjusts the counts. */
export function applyMove(state: RequestsState, request: RequestItem, from: Status): RequestsState {
  const { requests, list } = putRequest(state, request);
  if (!list) return { requests, list };
  const counts = { ...list.counts };
  counts[from] = Math.max(0, counts[from] - 1);
  counts[request.status] += 1;
  return { requests, list: { ...list, counts } };
}

/** Shows a change of many in those that were read; the server's own words follow. */
export function applyBulk(
  state: RequestsState,
  ids: readonly string[],
  change: RequestChange,
): RequestsState {
  if (!('status' in change)) return state;
  const known = ids.flatMap((id) => state.requests.get(id) ?? []);
  return {
    ...state,
    requests: withRequests(
      state.requests,
      known.map((request) => ({ ...request, status: change.status })),
    ),
  };
}

function withRequests(known: ReadonlyMap<string, RequestItem>, read: RequestItem[]) {
  const requests = new Map(known);
  for (const request of read) {
    // Not every answer knows them.
    const before = known.get(request.id);
    const asked_before = request.asked_before ?? before?.asked_before;
    const drafted = request.drafted ?? before?.drafted;
    // Null: there is none any more.
    const offer = request.offer === undefined ? before?.offer : request.offer;
    requests.set(request.id, { ...request, asked_before, drafted, offer });
  }
  return requests;
}

const numbersOf = ({ counts, counts_at_least: countsAtLeast, views }: InboxPage) => ({
  counts,
  countsAtLeast,
  views,
});

/** What is known, with the page's own of its requests. */
function withFound(known: ReadonlyMap<string, FoundIn>, { requests, found_in: found = [] }: InboxPage) {
  const read = new Set(requests.map(({ id }) => id));
  const others = [...known].filter(([id]) => !read.has(id));
  return new Map([...others, ...found.map((it) => [it.request, it] as const)]);
}

/** How many requests a query finds, by its first page: exactly where that holds all of them. */
export function countOf({ requests, counts, ...page }: InboxPage, status?: Status) {
  if (!page.next_cursor) return { count: requests.length, atLeast: false };
  return { count: status ? counts[status] : totalCount(counts), atLeast: page.counts_at_least };
}

export function totalCount(counts: Counts): number {
  return statuses.reduce((sum, status) => sum + counts[status], 0);
}
