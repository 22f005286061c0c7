// What is on the dispatcher's screen, as values: which quotes, in which order, how many more there are. Only the user's
// own acts add or move rows; what others do changes a row in place or waits behind a button.
import { type Counts, type Quote, type QuotePage, type Status, statuses } from '../../api/quotes';

export type QuoteListState = {
  /** As shown, newest first. */
  quotes: Quote[];
  /** Where the next page begins; null at the end. */
  more: string | null;
  counts: Counts;
  /** Ids of quotes that have come since, not shown until asked for. */
  unseen: string[];
  /** The search could not wait for the newest quotes to be indexed. */
  incomplete: boolean;
};

/** A board that shows a first page. */
export function firstPage({ quotes, next_cursor, counts, search_incomplete }: QuotePage): QuoteListState {
  return { quotes, more: next_cursor ?? null, counts, unseen: [], incomplete: search_incomplete };
}

/** The next page below what is shown. A quote that is there already stays where it is. */
export function appendPage(
  board: QuoteListState,
  { quotes, next_cursor, counts }: QuotePage,
): QuoteListState {
  const known = new Set(board.quotes.map(({ id }) => id));
  const below = quotes.filter(({ id }) => !known.has(id));
  return { ...board, quotes: [...board.quotes, ...below], more: next_cursor ?? null, counts };
}

/**
 * What a look at the first page tells: rows are brought up to date where they stand, new ones wait. `gone` are those
 * that the page should hold and does not, because somebody has moved them out of this filter.
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

/** A quote as it stands now, in its place. */
export function replaceQuote(board: QuoteListState, quote: Quote): QuoteListState {
  return { ...board, quotes: board.quotes.map((old) => (old.id === quote.id ? quote : old)) };
}

/** The same with the counts that follow from it, where it was this user who moved the quote. */
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

/** What may be done with a quote that stands here. */
export function actionsFor(status: Status): Action[] {
  if (status === 'pending') return [accept, reject];
  return status === 'in_progress' ? [complete] : [];
}
