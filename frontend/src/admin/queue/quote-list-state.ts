// State of the quote list: which quotes, in which order, how many more. Only the user's own actions add or move
// rows; changes by others update a row in place or wait behind a button.
import { type Counts, type Quote, type QuotePage, type Status, statuses } from '../../api/quotes';

export type QuoteListState = {
  /** As shown, newest first. */
  quotes: Quote[];
  /** The cursor of the next page; null at the end. */
  more: string | null;
  counts: Counts;
  /** Ids of newer quotes, not shown until the user asks for them. */
  unseen: string[];
  /** The search index did not include the newest quotes yet. */
  incomplete: boolean;
};

/** The list showing a first page. */
export function firstPage({ quotes, next_cursor, counts, search_incomplete }: QuotePage): QuoteListState {
  return { quotes, more: next_cursor ?? null, counts, unseen: [], incomplete: search_incomplete };
}

/** Appends the next page. A quote that is already listed stays in its position. */
export function appendPage(
  board: QuoteListState,
  { quotes, next_cursor, counts }: QuotePage,
): QuoteListState {
  const known = new Set(board.quotes.map(({ id }) => id));
  const below = quotes.filter(({ id }) => !known.has(id));
  return { ...board, quotes: [...board.quotes, ...below], more: next_cursor ?? null, counts };
}

/**
 * Applies a poll of the first page: updates rows in place and collects new ids. `gone` lists rows that the page
 * should hold but does not, because another dispatcher moved them out of this filter.
 */
export function applyPoll(
  board: QuoteListState,
  page: QuotePage,
  filter: Status | undefined,
): { board: QuoteListState; gone: string[] } {
  const fresh = new Map(page.quotes.map((quote) => [quote.id, quote]));
  const known = new Set(board.quotes.map(({ id }) => id));
  const last = board.quotes.at(-1);
  const above = (quote: Quote) => !board.more || !last || newer(quote, last);
  const end = page.next_cursor ? page.quotes.at(-1) : undefined;
  const covered = (quote: Quote) => !end || newer(quote, end);
  const gone = board.quotes.filter(
    (quote) => !fresh.has(quote.id) && covered(quote) && (!filter || quote.status === filter),
  );
  return {
    board: {
      ...board,
      counts: page.counts,
      incomplete: page.search_incomplete,
      quotes: board.quotes.map((quote) => fresh.get(quote.id) ?? quote),
      unseen: page.quotes.filter((quote) => !known.has(quote.id) && above(quote)).map(({ id }) => id),
    },
    gone: gone.map(({ id }) => id),
  };
}

/** Newest first means created_at, then id. */
function newer(one: Quote, other: Quote): boolean {
  return one.created_at === other.created_at ? one.id > other.id : one.created_at > other.created_at;
}

/** Replaces a quote in its position. */
export function replaceQuote(board: QuoteListState, quote: Quote): QuoteListState {
  return { ...board, quotes: board.quotes.map((old) => (old.id === quote.id ? quote : old)) };
}

/** Replaces a quote whose status this user changed, and adjusts the counts. */
export function applyMove(board: QuoteListState, quote: Quote, from: Status): QuoteListState {
  const counts = { ...board.counts };
  counts[from] = Math.max(0, counts[from] - 1);
  counts[quote.status] += 1;
  return { ...replaceQuote(board, quote), counts };
}

export function totalCount(counts: Counts): number {
  return statuses.reduce((sum, status) => sum + counts[status], 0);
}

/** An action of the specification (section 4), with its key. */
export type Action = { name: 'Accept' | 'Reject' | 'Complete'; to: Status; key: string };

const accept: Action = { name: 'Accept', to: 'in_progress', key: 'a' };
const reject: Action = { name: 'Reject', to: 'cancelled', key: 'r' };
const complete: Action = { name: 'Complete', to: 'completed', key: 'c' };

/** The actions available for a status. */
export function actionsFor(status: Status): Action[] {
  if (status === 'pending') return [accept, reject];
  return status === 'in_progress' ? [complete] : [];
}
