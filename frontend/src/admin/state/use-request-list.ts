// Loads the list, refreshes it and appends pages; request-list-state.ts has the rules.
import { useLayoutEffect, useMemo, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import {
  type InboxPage,
  type InboxQuery,
  listRequests,
  type RequestItem,
  readRequest,
  type Status,
} from '../../api/inbox';
import { serverNow } from '../../api/server-clock';
import { toast } from '../../ui/toast';
import { type DeskUrl, formatDeskUrl, listQuery } from '../requests/desk-url';
import {
  appendPage,
  applyMove,
  applyPoll,
  dropRequest,
  noRequests,
  putRequest,
  type RequestsState,
  showFirstPage,
  takeIn,
} from '../requests/request-list-state';
import { loadFailed } from '../session/access-level';
import { useAuth } from '../session/provider';

/** Rows that are read one by one after they left the filter. */
const maxRereads = 10;

type Shown = {
  state: RequestsState;
  /** `loading`: the list is being replaced; `extending`: its next page is being read. */
  phase: 'loading' | 'extending' | 'ready' | 'failed';
  /** When the server last answered, and whether it answered the last time. */
  freshness: { at: number; current: boolean };
};

export type RequestListStore = ReturnType<typeof useRequestList>;

export function useRequestList(url: DeskUrl) {
  const { manager, takeFirstPage, recheckAccess } = useAuth();
  const [shown, show] = useState<Shown>(() => ({
    state: noRequests,
    phase: 'loading',
    freshness: { at: serverNow(), current: true },
  }));
  const list = useMemo(
    () => createRequestList(shown, show, { manager, takeFirstPage, recheckAccess }),
    [manager, takeFirstPage, recheckAccess],
  );
  list.follow(url);
  const address = formatDeskUrl({ ...url, request: undefined });
  // An effect after painting would begin two frames later.
  useLayoutEffect(() => {
    list.load();
    return list.leave;
  }, [list, address]);
  return { ...list, ...shown };
}

type Session = Pick<ReturnType<typeof useAuth>, 'manager' | 'takeFirstPage' | 'recheckAccess'>;

/** Its functions stay the same; `show` draws what they have changed. */
function createRequestList(first: Shown, show: (shown: Shown) => void, session: Session) {
  const { manager, takeFirstPage, recheckAccess } = session;
  let shown = first;
  // The latest: after a change that took a while, another list may be shown.
  let url: DeskUrl;
  /** Grows with each list: an answer for the one before is dropped. */
  let round = 0;
  /** Refreshes in the order in which they began: an older page does not replace a newer one. */
  let begun = 0;
  let newest = 0;
  /** Ids of requests that this user has brought back: they do not wait behind the button. */
  const own = new Set<string>();
  /** When each request was stored last, counted: what was asked for before that may be older. */
  const stored = new Map<string, number>();
  let count = 0;

  const set = (part: Partial<Shown>) => {
    shown = { ...shown, ...part };
    show(shown);
  };
  const setState = (next: (state: RequestsState) => RequestsState) => set({ state: next(shown.state) });
  const current = () => ({ at: serverNow(), current: true });

  /** A function that says whether a request was stored after this call. */
  function watch() {
    const since = count;
    return (id: string) => (stored.get(id) ?? 0) > since;
  }

  /** A request that was stored while the page was read is newer than the page. */
  async function readPage(more: InboxQuery = {}): Promise<InboxPage> {
    const isNewer = watch();
    const page = await manager.withToken(listRequests, { ...listQuery(url), ...more });
    const known = (request: RequestItem) =>
      isNewer(request.id) ? (shown.state.requests.get(request.id) ?? request) : request;
    return { ...page, requests: page.requests.map(known) };
  }

  /** A 401 or 403 means that the user's access has changed: check it again. */
  function handleAuthError(error: unknown) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) recheckAccess();
  }

  /** Loads the first page and returns it; the current rows stay until it arrives. */
  async function load(): Promise<InboxPage | undefined> {
    round += 1;
    const mine = round;
    set({ phase: 'loading' });
    const { view, filters } = url;
    try {
      const page = takeFirstPage(listQuery({ view, filters })) ?? (await readPage());
      if (mine !== round) return undefined;
      set({ state: showFirstPage(shown.state, page, view), phase: 'ready', freshness: current() });
      return page;
    } catch (error) {
      if (mine !== round) return undefined;
      set({ phase: 'failed' });
      toast(loadFailed);
      handleAuthError(error);
      return undefined;
    }
  }

  function put(request: RequestItem, change = putRequest) {
    count += 1;
    stored.set(request.id, count);
    setState((state) => change(state, request));
  }

  const drop = (id: string) => setState((state) => dropRequest(state, id));

  /** Reads one request again; undefined if that fails. A deleted one leaves the list. */
  async function reread(id: string): Promise<RequestItem | undefined> {
    const isNewer = watch();
    const request = await manager.withToken(readRequest, id).catch((error) => {
      if (error instanceof ApiError && error.status === 404) drop(id);
      return undefined;
    });
    if (request && !isNewer(id)) put(request);
    return request;
  }

  /**
   * Reads the first page again and updates the rows in place; `changed` are requests known to have
   * changed. False if it has to be read again: the server did not answer, or had not indexed the
   * newest requests.
   */
  async function refresh(changed: readonly string[] = []): Promise<boolean> {
    const mine = round;
    if (!shown.state.list) return true;
    try {
      begun += 1;
      const turn = begun;
      const page = await readPage();
      if (mine !== round || turn < newest) return true;
      newest = turn;
      const { state, gone } = applyPoll(shown.state, page);
      const read = new Set(page.requests.map(({ id }) => id));
      const below = changed.filter((id) => !read.has(id) && shown.state.requests.has(id));
      set({ state: takeIn(state, own, page), freshness: current() });
      for (const id of new Set([...gone, ...below].slice(0, maxRereads))) reread(id);
      return !page.search_incomplete;
    } catch (error) {
      if (mine === round) set({ freshness: { ...shown.freshness, current: false } });
      handleAuthError(error);
      return mine !== round || isRefusal(error);
    }
  }

  /** Appends the next page and returns the ids it adds. */
  async function loadMore(): Promise<string[]> {
    const { list } = shown.state;
    if (!list?.nextCursor || shown.phase === 'loading' || shown.phase === 'extending') return [];
    const mine = round;
    set({ phase: 'extending' });
    try {
      const page = await readPage({ cursor: list.nextCursor });
      if (mine !== round) return [];
      setState((state) => appendPage(state, page));
      const known = new Set(list.ids);
      return page.requests.map(({ id }) => id).filter((id) => !known.has(id));
    } catch (error) {
      if (mine !== round) return [];
      toast(loadFailed);
      handleAuthError(error);
      return [];
    } finally {
      if (mine === round) set({ phase: 'ready' });
    }
  }

  return {
    /** Shows the list of another address from now on. */
    follow(next: DeskUrl) {
      url = next;
    },
    /** Drops the answers that are still to come. */
    leave() {
      round += 1;
    },
    setState,
    load,
    refresh,
    loadMore,
    reread,
    put: (request: RequestItem) => put(request),
    /** Stores a request whose status this user has changed. */
    putMoved: (request: RequestItem, from: Status) =>
      put(request, (state) => applyMove(state, request, from)),
    watch,
    drop,
    bringBack: (id: string) => void own.add(id),
    handleAuthError,
  };
}

/** Whether asking again gets the same answer. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 429;
}
