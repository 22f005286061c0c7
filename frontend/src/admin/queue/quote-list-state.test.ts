// The list's rule: no row moves unless the dispatcher moves it.
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

it('leaves rows unchanged when new requests arrive, and counts those', () => {
  const board = firstPage(page([quote(2), quote(3)]));
  const { board: after } = applyPoll(board, page([quote(0), quote(1), quote(2), quote(3)]), undefined);
  expect(after.quotes.map(({ id }) => id)).toEqual(['id-998', 'id-997']);
  expect(after.unseen).toEqual(['id-1000', 'id-999']);
});

it('counts new requests of an empty list', () => {
  expect(applyPoll(firstPage(page([])), page([quote(1)]), undefined).board.unseen).toEqual(['id-999']);
});

it('marks a search as incomplete until a poll finds the newest requests', () => {
  const board = firstPage({ ...page([quote(1)]), search_incomplete: true });
  expect(board.incomplete).toBe(true);
  expect(applyPoll(board, page([quote(0), quote(1)]), undefined).board.incomplete).toBe(false);
});

it('does not count older quotes as new', () => {
  const board = firstPage(page([quote(1)], 'more'));
  expect(applyPoll(board, page([quote(1), quote(2)]), undefined).board.unseen).toEqual([]);
});

it('updates a row in place', () => {
  const board = firstPage(page([quote(1), quote(2)]));
  const { board: after } = applyPoll(board, page([quote(1), quote(2, 'in_progress')]), undefined);
  expect(after.quotes.map(({ status }) => status)).toEqual(['pending', 'in_progress']);
});

it('reports rows that left the filter, and keeps them listed', () => {
  const board = firstPage(page([quote(1), quote(2), quote(3)]));
  const { board: after, gone } = applyPoll(board, page([quote(1), quote(3)]), 'pending');
  expect(gone).toEqual(['id-998']);
  expect(after.quotes).toHaveLength(3);
});

it('does not report rows that this user moved out of the filter', () => {
  const board = applyMove(firstPage(page([quote(1), quote(2)])), quote(1, 'in_progress'), 'pending');
  expect(applyPoll(board, page([quote(2)]), 'pending').gone).toEqual([]);
});

it('does not report rows below the polled page', () => {
  const board = firstPage(page([quote(1), quote(2), quote(3)]));
  expect(applyPoll(board, page([quote(1), quote(2)], 'more'), undefined).gone).toEqual([]);
});

it('appends older requests without duplicates', () => {
  const board = appendPage(firstPage(page([quote(1), quote(2)], 'more')), page([quote(2), quote(3)]));
  expect(board.quotes.map(({ id }) => id)).toEqual(['id-999', 'id-998', 'id-997']);
  expect(board.more).toBeNull();
});

it('adjusts the counts when a quote changes status', () => {
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
