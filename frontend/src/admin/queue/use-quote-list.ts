// Loads the quote list, polls it every 20 s, appends pages and updates statuses; quote-list-state.ts has the rules.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import {
  listQuotes,
  type Quote,
  type QuotePage,
  type QuoteQuery,
  readQuote,
  type Status,
  updateQuoteStatus,
} from '../../api/quotes';
import { toast } from '../../ui/toast';
import { loadFailed } from '../session/access-level';
import { useAuth } from '../session/provider';
import { statusText } from './format';
import {
  appendPage,
  applyMove,
  applyPoll,
  firstPage,
  type QuoteListState,
  replaceQuote,
} from './quote-list-state';

/** Milliseconds between polls, rows per page, and rows re-read one by one after they left the filter. */
const pollInterval = 20_000;
const pageSize = 50;
const maxRereads = 10;

const moveFailed = { title: 'Error', detail: 'Failed to update quote status.', destructive: true };

export type LoadPhase = 'loading' | 'ready' | 'failed';

export function useQuoteList(filter: Status | undefined, q: string) {
  const { manager, recheckAccess } = useAuth();
  const [board, setBoard] = useState<QuoteListState>();
  const [phase, setPhase] = useState<LoadPhase>('loading');
  const [heard, setHeard] = useState({ at: Date.now(), well: true });
  const [moving, setMoving] = useState<ReadonlySet<string>>(new Set());
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});
  const round = useRef(0);
  const latest = useRef<QuoteListState>(undefined);
  latest.current = board;

  const ask = useCallback(
    (more: QuoteQuery) => {
      const listing = { limit: pageSize, q, ...(filter ? { status: filter } : {}), ...more };
      return manager.withToken((token) => listQuotes(token, listing));
    },
    [manager, filter, q],
  );

  /** A 401 or 403 means that the user's access has changed: check it again. */
  const handleAuthError = useCallback(
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) recheckAccess();
    },
    [recheckAccess],
  );

  /** Loads the first page; the current rows stay until it arrives. */
  const load = useCallback(async () => {
    round.current += 1;
    const mine = round.current;
    setPhase('loading');
    try {
      const page = await ask({});
      if (mine !== round.current) return;
      setBoard(firstPage(page));
      setNotes({});
      setPhase('ready');
      setHeard({ at: Date.now(), well: true });
    } catch (error) {
      if (mine !== round.current) return;
      setPhase('failed');
      toast(loadFailed);
      handleAuthError(error);
    }
  }, [ask, handleAuthError]);

  useEffect(() => {
    load();
    return () => {
      round.current += 1;
    };
  }, [load]);

  const poll = useCallback(async () => {
    const mine = round.current;
    if (!latest.current) return;
    try {
      const page = await ask({});
      if (mine !== round.current || !latest.current) return;
      const polled = applyPoll(latest.current, page, filter);
      setBoard((now) => now && applyPoll(now, page, filter).board);
      setHeard({ at: Date.now(), well: true });
      for (const id of polled.gone.slice(0, maxRereads)) reread(id);
    } catch (error) {
      if (mine === round.current) setHeard((last) => ({ ...last, well: false }));
      handleAuthError(error);
    }
  }, [ask, filter, handleAuthError]);

  /** Re-reads one quote and updates its row in place. */
  const reread = useCallback(
    async (id: string) => {
      const quote = await manager.withToken((token) => readQuote(token, id)).catch(() => undefined);
      if (quote) setBoard((now) => now && replaceQuote(now, quote));
      return quote;
    },
    [manager],
  );

  usePolling(poll);

  async function more() {
    if (!board?.more) return;
    const mine = round.current;
    setPhase('loading');
    try {
      const page: QuotePage = await ask({ cursor: board.more });
      if (mine !== round.current) return;
      setBoard((now) => now && appendPage(now, page));
      setPhase('ready');
    } catch (error) {
      if (mine !== round.current) return;
      setPhase('ready');
      toast(loadFailed);
      handleAuthError(error);
    }
  }

  async function move(quote: Quote, to: Status) {
    if (moving.has(quote.id)) return;
    setMoving((ids) => new Set(ids).add(quote.id));
    setNotes(({ [quote.id]: _, ...rest }) => rest);
    try {
      const now = await manager.withToken((token) => updateQuoteStatus(token, quote.id, to));
      setBoard((old) => old && applyMove(old, now, quote.status));
      toast({ title: 'Status Updated', detail: `Quote status changed to ${to}.` });
      return now;
    } catch (error) {
      toast(moveFailed);
      handleAuthError(error);
      return await showConflict(quote, error);
    } finally {
      setMoving((ids) => new Set([...ids].filter((id) => id !== quote.id)));
    }
  }

  /** On 409 another dispatcher changed the quote first: updates the row and adds a note. */
  async function showConflict(quote: Quote, error: unknown) {
    if (!(error instanceof ApiError) || error.status !== 409) return undefined;
    const status = error.details.currentStatus as Status | undefined;
    const now = (await reread(quote.id)) ?? (status ? { ...quote, status } : undefined);
    if (!now) return undefined;
    setBoard((old) => old && replaceQuote(old, now));
    setNotes((all) => ({
      ...all,
      [quote.id]: `Another dispatcher already took this: it is ${statusText(now.status)} now.`,
    }));
    return now;
  }

  return { board, phase, heard, moving, notes, load, more, move };
}

/** Calls `poll` every 20 s while the page is visible, and at once when it is shown again or back online. */
function usePolling(poll: () => void) {
  const last = useRef(poll);
  last.current = poll;
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const restartTimer = () => {
      clearInterval(timer);
      if (document.visibilityState === 'visible') timer = setInterval(() => last.current(), pollInterval);
    };
    const refresh = () => {
      restartTimer();
      if (document.visibilityState === 'visible') last.current();
    };
    restartTimer();
    document.addEventListener('visibilitychange', refresh);
    addEventListener('online', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
      removeEventListener('online', refresh);
    };
  }, []);
}
