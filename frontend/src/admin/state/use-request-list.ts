// Loads the list, refreshes it and appends pages; request-list-state.ts has the rules.
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import type { InboxPage, RequestItem, Status } from '../../api/inbox';
import { type InboxQuery, listRequests, readRequest } from '../../api/inbox';
import { serverNow } from '../../api/server-clock';
import { toast } from '../../ui/toast';
import { type DeskUrl, formatDeskUrl, listQuery, navigateDesk, unsorted } from '../requests/desk-url';
import type { Sort } from '../requests/order/sort';
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

/** `loading`: the list is being replaced; `extending`: its next page is being read. */
export type LoadPhase = 'loading' | 'extending' | 'ready' | 'failed';

/** When the server last answered, and whether it answered the last time. */
export type Freshness = { at: number; current: boolean };

export type RequestListStore = ReturnType<typeof useRequestList>;

export function useRequestList(url: DeskUrl) {
  const { manager, user, takeFirstPage, recheckAccess } = useAuth();
  const me = user?.id;
  const [state, setState] = useState<RequestsState>(noRequests);
  const [phase, setPhase] = useState<LoadPhase>('loading');
  const [freshness, setFreshness] = useState<Freshness>({ at: serverNow(), current: true });
  const round = useRef(0);
  /** Refreshes in the order in which they began: an older page does not replace a newer one. */
  const refreshes = useRef({ begun: 0, shown: 0 });
  /** Ids of requests that this user has brought back: they do not wait behind the button. */
  const own = useRef(new Set<string>());
  /** When each request was stored last, counted: what was asked for before that may be older. */
  const stored = useRef({ count: 0, at: new Map<string, number>() });
  const latest = useRef(state);
  latest.current = state;
  const latestUrl = useRef(url);
  latestUrl.current = url;
  const address = formatDeskUrl({ ...url, request: undefined });

  const mark = useCallback((id: string) => {
    stored.current.count += 1;
    stored.current.at.set(id, stored.current.count);
  }, []);
  /** A function that says whether a request was stored after this call. */
  const watch = useCallback(() => {
    const since = stored.current.count;
    return (id: string) => (stored.current.at.get(id) ?? 0) > since;
  }, []);

  // By the latest URL: after a change that took a while, another list may be shown. A request that
  // was stored while the page was read is newer than the page.
  const readPage = useCallback(
    async (more: InboxQuery = {}) => {
      const isNewer = watch();
      const query = { ...listQuery(latestUrl.current), ...more };
      return withKnown(await manager.withToken(listRequests, query), latest.current, isNewer);
    },
    [manager, watch],
  );

  /** A 401 or 403 means that the user's access has changed: check it again. */
  const handleAuthError = useCallback(
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) recheckAccess();
    },
    [recheckAccess],
  );

  /** A list that is too long to be sorted has its usual order again, and the server's words. */
  const unsortIfRefused = useCallback((error: unknown): boolean => {
    if (!(error instanceof ApiError && error.status === 400 && latestUrl.current.filters.sort)) return false;
    toast({ title: 'Not sorted', detail: error.message, destructive: true });
    navigateDesk(unsorted(latestUrl.current), true);
    return true;
  }, []);

  /** Loads the first page and returns it; the current rows stay until it arrives. */
  const load = useCallback(async () => {
    round.current += 1;
    const mine = round.current;
    setPhase('loading');
    const { view, filters } = latestUrl.current;
    try {
      const page = takeFirstPage(listQuery({ view, filters })) ?? (await readPage());
      if (mine !== round.current) return undefined;
      setState((now) => showFirstPage(now, page, view, filters.sort as Sort | undefined));
      setPhase('ready');
      setFreshness({ at: serverNow(), current: true });
      return page;
    } catch (error) {
      if (mine !== round.current) return undefined;
      if (unsortIfRefused(error)) return undefined;
      setPhase('failed');
      toast(loadFailed);
      handleAuthError(error);
      return undefined;
    }
  }, [readPage, takeFirstPage, handleAuthError, unsortIfRefused]);

  // An effect after painting would begin two frames later.
  useLayoutEffect(() => {
    load();
    return () => {
      round.current += 1;
    };
  }, [load, address]);

  const put = useCallback(
    (request: RequestItem) => {
      mark(request.id);
      setState((now) => putRequest(now, request));
    },
    [mark],
  );
  /** Stores a request whose status this user has changed. */
  const putMoved = useCallback(
    (request: RequestItem, from: Status) => {
      mark(request.id);
      setState((now) => applyMove(now, request, from));
    },
    [mark],
  );
  const drop = useCallback((id: string) => setState((now) => dropRequest(now, id)), []);
  const bringBack = useCallback((id: string) => void own.current.add(id), []);

  /** Reads one request again; undefined if that fails. A deleted one leaves the list. */
  const reread = useCallback(
    async (id: string) => {
      const isNewer = watch();
      const request = await manager.withToken(readRequest, id).catch((error) => {
        if (error instanceof ApiError && error.status === 404) drop(id);
        return undefined;
      });
      if (request && !isNewer(id)) put(request);
      return request;
    },
    [manager, put, drop, watch],
  );

  /**
   * Reads the first page again and updates the rows in place; `changed` are requests known to have
   * changed. False if it has to be read again: the server did not answer, or had not indexed the
   * newest requests.
   */
  const refresh = useCallback(
    async (changed: readonly string[] = []): Promise<boolean> => {
      const mine = round.current;
      if (!latest.current.list) return true;
      try {
        refreshes.current.begun += 1;
        const { begun } = refreshes.current;
        const page = await readPage();
        if (mine !== round.current || begun < refreshes.current.shown) return true;
        refreshes.current.shown = begun;
        const { gone } = applyPoll(latest.current, page, serverNow(), me);
        const at = serverNow();
        setState((now) => takeIn(applyPoll(now, page, at, me).state, own.current, at, me));
        setFreshness({ at: serverNow(), current: true });
        const read = new Set(page.requests.map(({ id }) => id));
        const below = changed.filter((id) => !read.has(id) && latest.current.requests.has(id));
        for (const id of new Set([...gone, ...below].slice(0, maxRereads))) reread(id);
        return !page.search_incomplete;
      } catch (error) {
        if (mine === round.current && unsortIfRefused(error)) return true;
        if (mine === round.current) setFreshness((last) => ({ ...last, current: false }));
        handleAuthError(error);
        return mine !== round.current || isRefusal(error);
      }
    },
    [readPage, reread, handleAuthError, unsortIfRefused, me],
  );

  /** Appends the next page and returns the ids it adds. */
  async function loadMore(): Promise<string[]> {
    const { list } = state;
    if (!list?.nextCursor || phase === 'loading' || phase === 'extending') return [];
    const mine = round.current;
    setPhase('extending');
    try {
      const page = await readPage({ cursor: list.nextCursor });
      if (mine !== round.current) return [];
      setState((now) => appendPage(now, page));
      const known = new Set(list.ids);
      return page.requests.map(({ id }) => id).filter((id) => !known.has(id));
    } catch (error) {
      if (mine !== round.current) return [];
      toast(loadFailed);
      handleAuthError(error);
      return [];
    } finally {
      if (mine === round.current) setPhase('ready');
    }
  }

  return {
    state,
    setState,
    phase,
    freshness,
    load,
    refresh,
    loadMore,
    reread,
    put,
    putMoved,
    watch,
    drop,
    bringBack,
    handleAuthError,
  };
}

/** The page with what is known of the requests that were stored while it was read. */
function withKnown(page: InboxPage, { requests }: RequestsState, isNewer: (id: string) => boolean) {
  const read = page.requests.map((request) =>
    isNewer(request.id) ? (requests.get(request.id) ?? request) : request,
  );
  return { ...page, requests: read };
}

/** Whether asking again gets the same answer. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 429;
}
