// The board's one law: nothing moves that the dispatcher did not move.
import { expect, it } from 'vitest';
import type { Quote, QuotePage, Status } from '../../api/quotes';
import { actionsFor, appendPage, applyMove, applyPoll, firstPage, totalCount } from './quote-list-state';

/** A quote that is `age` hours old; its id sorts with its age. */
function quote(age: number, status: Status = 'pending'): Quote {
  const created_at = new Date(Date.parse('2026-11-21T12:00:00.000Z') - age * 3_600_000).toISOString();
  return {
    id: `id-${String(1000 - age)}`,
    created_at,
    updated_at: created_at,
    first_name: 'Marta',
    last_name: 'Núñez',
    email: 'marta@property.example',
    phone: '(713) 555-0188',
    service_type: 'fire-watch',
    duration: '1-week',
    start_date: '2026-12-01',
    location: 'Houston, TX',
    status,
    emergency_contact: false,
  };
}

const counts = { pending: 3, in_progress: 1, completed: 0, cancelled: 0 };

function page(quotes: Quote[], next_cursor?: string): QuotePage {
  return { quotes, counts, search_incomplete: false, ...(next_cursor ? { next_cursor } : {}) };
}

it('leaves the rows as they are when new requests come, and counts those', () => {
  const board = firstPage(page([quote(2), quote(3)]));
  const { board: after } = applyPoll(board, page([quote(0), quote(1), quote(2), quote(3)]), undefined);
  expect(after.quotes.map(({ id }) => id)).toEqual(['id-998', 'id-997']);
  expect(after.unseen).toEqual(['id-1000', 'id-999']);
});

it('counts what comes to an empty board', () => {
  expect(applyPoll(firstPage(page([])), page([quote(1)]), undefined).board.unseen).toEqual(['id-999']);
});

it('says that a search may lack the newest requests until a look has found them', () => {
  const board = firstPage({ ...page([quote(1)]), search_incomplete: true });
  expect(board.incomplete).toBe(true);
  expect(applyPoll(board, page([quote(0), quote(1)]), undefined).board.incomplete).toBe(false);
});

it('does not take an older page for news', () => {
  const board = firstPage(page([quote(1)], 'more'));
  expect(applyPoll(board, page([quote(1), quote(2)]), undefined).board.unseen).toEqual([]);
});

it('brings a row up to date where it stands', () => {
  const board = firstPage(page([quote(1), quote(2)]));
  const { board: after } = applyPoll(board, page([quote(1), quote(2, 'in_progress')]), undefined);
  expect(after.quotes.map(({ status }) => status)).toEqual(['pending', 'in_progress']);
});

it('names the rows that somebody has moved out of the filter, and keeps them on the screen', () => {
  const board = firstPage(page([quote(1), quote(2), quote(3)]));
  const { board: after, gone } = applyPoll(board, page([quote(1), quote(3)]), 'pending');
  expect(gone).toEqual(['id-998']);
  expect(after.quotes).toHaveLength(3);
});

it('does not ask again after rows that it moved out of the filter itself', () => {
  const board = applyMove(firstPage(page([quote(1), quote(2)])), quote(1, 'in_progress'), 'pending');
  expect(applyPoll(board, page([quote(2)]), 'pending').gone).toEqual([]);
});

it('does not ask after rows below the polled page', () => {
  const board = firstPage(page([quote(1), quote(2), quote(3)]));
  expect(applyPoll(board, page([quote(1), quote(2)], 'more'), undefined).gone).toEqual([]);
});

it('adds older requests below, each once', () => {
  const board = appendPage(firstPage(page([quote(1), quote(2)], 'more')), page([quote(2), quote(3)]));
  expect(board.quotes.map(({ id }) => id)).toEqual(['id-999', 'id-998', 'id-997']);
  expect(board.more).toBeNull();
});

it('moves one in the counts with the quote', () => {
  const board = applyMove(firstPage(page([quote(1)])), quote(1, 'cancelled'), 'pending');
  expect(board.counts).toEqual({ pending: 2, in_progress: 1, completed: 0, cancelled: 1 });
  expect(totalCount(board.counts)).toBe(4);
});

it.each([
  ['pending', ['Accept', 'Reject']],
  ['in_progress', ['Complete']],
  ['completed', []],
  ['cancelled', []],
] as [Status, string[]][])('offers for %s: %j', (status, names) => {
  expect(actionsFor(status).map(({ name }) => name)).toEqual(names);
});
