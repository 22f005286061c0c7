// The board's life: loads, looks for news every 20 s, extends, and moves quotes. What a board is, is in board.ts.
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

/** Milliseconds between looks for news, rows on a page, and rows checked one by one when they have left the filter. */
const pause = 20_000;
const pageSize = 50;
const checkedAtOnce = 10;

const moveFailed = { title: 'Error', detail: 'Failed to update quote status.', destructive: true };

export type LoadPhase = 'loading' | 'ready' | 'failed';

export function useQuoteList(filter: Status | undefined, words: string) {
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
      const listing = { limit: pageSize, q: words, ...(filter ? { status: filter } : {}), ...more };
      return manager.withToken((token) => listQuotes(token, listing));
    },
    [manager, filter, words],
  );

  /** A call of ours was refused for who we are: the page's state is asked for again. */
  const heed = useCallback(
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) recheckAccess();
    },
    [recheckAccess],
  );

  /** Shows the first page; what is shown stays until it is there. */
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
      heed(error);
    }
  }, [ask, heed]);

  useEffect(() => {
    load();
    return () => {
      round.current += 1;
    };
  }, [load]);

  const look = useCallback(async () => {
    const mine = round.current;
    if (!latest.current) return;
    try {
      const page = await ask({});
      if (mine !== round.current || !latest.current) return;
      const news = applyPoll(latest.current, page, filter);
      setBoard((now) => now && applyPoll(now, page, filter).board);
      setHeard({ at: Date.now(), well: true });
      for (const id of news.gone.slice(0, checkedAtOnce)) freshen(id);
    } catch (error) {
      if (mine === round.current) setHeard((last) => ({ ...last, well: false }));
      heed(error);
    }
  }, [ask, filter, heed]);

  /** Brings one row up to date where it stands. */
  const freshen = useCallback(
    async (id: string) => {
      const quote = await manager.withToken((token) => readQuote(token, id)).catch(() => undefined);
      if (quote) setBoard((now) => now && replaceQuote(now, quote));
      return quote;
    },
    [manager],
  );

  usePolling(look);

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
      heed(error);
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
      heed(error);
      return await explain(quote, error);
    } finally {
      setMoving((ids) => new Set([...ids].filter((id) => id !== quote.id)));
    }
  }

  /** Somebody was faster: the row shows how it stands now, and says so. */
  async function explain(quote: Quote, error: unknown) {
    if (!(error instanceof ApiError) || error.status !== 409) return undefined;
    const status = error.details.currentStatus as Status | undefined;
    const now = (await freshen(quote.id)) ?? (status ? { ...quote, status } : undefined);
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

/** Calls `look` every 20 s while the page is visible, and at once when it is shown again or back online. */
function usePolling(look: () => void) {
  const last = useRef(look);
  last.current = look;
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const keepTime = () => {
      clearInterval(timer);
      if (document.visibilityState === 'visible') timer = setInterval(() => last.current(), pause);
    };
    const again = () => {
      keepTime();
      if (document.visibilityState === 'visible') last.current();
    };
    keepTime();
    document.addEventListener('visibilitychange', again);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
      removeEventListener('online', again);
    };
  }, []);
}
