// The list's rule: no row moves unless the dispatcher moves it.
import { expect, it } from 'vitest';
import type { InboxPage, RequestItem, Status } from '../../api/inbox';
import { newRequestsText } from '../list/new-requests-banner';
import { actionsFor } from './actions';
import {
  appendPage,
  applyMove,
  applyPoll,
  idOf,
  listedRequests,
  noRequests,
  putRequest,
  type RequestsState,
  showFirstPage,
  takeIn,
  totalCount,
} from './request-list-state';

/** A quote that is `age` hours old; its id sorts with its age. */
function quote(age: number, status: Status = 'pending'): RequestItem {
  const created_at = new Date(Date.parse('2026-11-21T12:00:00.000Z') - age * 3_600_000).toISOString();
  return {
    id: `id-${String(1000 - age)}`,
    source: 'web',
    created_at,
    updated_at: created_at,
    first_name: 'Marta',
    last_name: 'Núñez',
    email: 'marta@property.example',
    phone: '(713) 555-0188',
    kind: 'quote',
    reference: `GP-${String(1000 - age)}`,
    due_at: new Date(Date.parse(created_at) + 24 * 3_600_000).toISOString(),
    awaits_call: false,
    unacknowledged: false,
    reply_failed: false,
    unread: false,
    held: false,
    held_reasons: [],
    extra_fields: {},
    service: 'fire-watch',
    duration: '1-week',
    start_date: '2026-12-01',
    location: 'Houston, TX',
    status,
    emergency_contact: false,
  };
}

const views = { quotes: 4, mine: 0, attention: 1, messages: 0, everything: 4, held: 0, unmatched: 0 };
const counts = { pending: 3, in_progress: 1, completed: 0, cancelled: 0 };

function page(requests: RequestItem[], next_cursor?: string): InboxPage {
  return {
    role: 'admin',
    requests,
    counts,
    counts_at_least: false,
    views,
    search_incomplete: false,
    found_in: [],
    ...(next_cursor ? { next_cursor } : {}),
  };
}

const firstPage = (first: InboxPage) => showFirstPage(noRequests, first, 'quotes');
const idsOf = (state: RequestsState) => listedRequests(state).map(({ id }) => id);

it('forgets an offer that was taken back, and keeps one of which an answer says nothing', () => {
  const offer = { number: 'O-1' } as NonNullable<RequestItem['offer']>;
  const state = firstPage(page([{ ...quote(1), offer }]));
  const offerIn = (after: RequestsState) => after.requests.get('id-999')?.offer ?? null;
  expect(offerIn(putRequest(state, quote(1)))).toBe(offer);
  expect(offerIn(applyPoll(state, page([{ ...quote(1), offer: null }])).state)).toBeNull();
});

it('keeps that there may be more when another page is read', () => {
  const state = firstPage(page([quote(1)], 'next'));
  expect(appendPage(state, { ...page([quote(2)]), counts_at_least: true }).list?.countsAtLeast).toBe(true);
});

it('leaves rows unchanged when new requests arrive, and counts those', () => {
  const state = firstPage(page([quote(2), quote(3)]));
  const { state: after } = applyPoll(state, page([quote(0), quote(1), quote(2), quote(3)]));
  expect(idsOf(after)).toEqual(['id-998', 'id-997']);
  expect(after.list?.unseen).toEqual(['id-1000', 'id-999']);
});

it('makes the words about new requests of these alone, whatever emergency lies below the first page', () => {
  const older = Array.from({ length: 51 }, (_, at) => quote(at + 1));
  const urgent = { ...(older[50] as RequestItem), emergency_contact: true };
  const shown = firstPage(page(older.slice(0, 50), 'more'));
  const fresh = quote(0);
  // A row has left, and the emergency comes up into the page that is read.
  const read = [fresh, ...older.slice(1, 50), urgent];
  const { state } = applyPoll(shown, page(read, 'more'));
  const unseen = (state.list?.unseen ?? []).flatMap((id) => state.requests.get(id) ?? []);
  expect(newRequestsText(unseen)).toBe('1 new request');
});

it('counts new requests of an empty list', () => {
  expect(applyPoll(firstPage(page([])), page([quote(1)])).state.list?.unseen).toEqual(['id-999']);
});

it('marks a search as incomplete until a poll finds the newest requests', () => {
  const state = firstPage({ ...page([quote(1)]), search_incomplete: true });
  expect(state.list?.incomplete).toBe(true);
  expect(applyPoll(state, page([quote(0), quote(1)])).state.list?.incomplete).toBe(false);
});

it('does not count older quotes as new', () => {
  const state = firstPage(page([quote(1)], 'more'));
  expect(applyPoll(state, page([quote(1), quote(2)])).state.list?.unseen).toEqual([]);
});

it('announces a new request at the last place of a full page, where the row before has left it', () => {
  const late = { ...quote(0), created_at: new Date().toISOString() };
  const state = firstPage(page([quote(1), quote(2)], 'more'));
  const { state: after, gone } = applyPoll(state, page([quote(1), late], 'more'));
  expect(after.list?.unseen).toEqual([late.id]);
  expect(gone).toEqual([]);
  const wrote = { ...quote(9), waiting_since: new Date().toISOString() };
  expect(applyPoll(state, page([quote(1), wrote], 'more')).state.list?.unseen).toEqual([wrote.id]);
});

it('updates a row in place', () => {
  const state = firstPage(page([quote(1), quote(2)]));
  const { state: after } = applyPoll(state, page([quote(1), quote(2, 'in_progress')]));
  expect(listedRequests(after).map(({ status }) => status)).toEqual(['pending', 'in_progress']);
});

it('reports rows that left the filter, and keeps them listed', () => {
  const state = firstPage(page([quote(1), quote(2), quote(3)]));
  const { state: after, gone } = applyPoll(state, page([quote(1), quote(3)]));
  expect(gone).toEqual(['id-998']);
  expect(idsOf(after)).toHaveLength(3);
});

it('reports a row that left the filter once', () => {
  const { state } = applyPoll(firstPage(page([quote(1), quote(2)])), page([quote(2)]));
  expect(applyPoll(state, page([quote(2)])).gone).toEqual([]);
  const back = applyPoll(state, page([quote(1), quote(2)])).state;
  expect(applyPoll(back, page([quote(2)])).gone).toEqual(['id-999']);
});

it('does not report rows below the polled page', () => {
  const state = firstPage(page([quote(1), quote(2), quote(3)]));
  expect(applyPoll(state, page([quote(1), quote(2)], 'more')).gone).toEqual([]);
});

it('appends older requests without duplicates', () => {
  const state = appendPage(firstPage(page([quote(1), quote(2)], 'more')), page([quote(2), quote(3)]));
  expect(idsOf(state)).toEqual(['id-999', 'id-998', 'id-997']);
  expect(state.list?.nextCursor).toBeNull();
});

it('adjusts the counts when a quote changes status', () => {
  const state = applyMove(firstPage(page([quote(1)])), quote(1, 'cancelled'), 'pending');
  expect(state.list?.counts).toEqual({ pending: 2, in_progress: 1, completed: 0, cancelled: 1 });
  expect(totalCount(counts)).toBe(4);
});

it('keeps a request that is not on the list in the same map', () => {
  const state = putRequest(firstPage(page([quote(1)])), quote(9));
  expect(idsOf(state)).toEqual(['id-999']);
  expect(state.requests.get('id-991')?.id).toBe('id-991');
  const moved = applyMove(state, quote(9, 'in_progress'), 'pending');
  expect(moved.requests.get('id-991')?.status).toBe('in_progress');
});

it.each([
  ['pending', ['Accept', 'Reject']],
  ['in_progress', ['Complete']],
  ['completed', []],
  ['cancelled', []],
] as [Status, string[]][])('offers for %s: %j', (status, names) => {
  expect(actionsFor({ status, held: false }).map(({ name }) => name)).toEqual(names);
});

it('offers no move of a held request', () => {
  expect(actionsFor({ status: 'pending', held: true })).toEqual([]);
});

it('counts what is due sooner as new in "Needs attention", whenever it was received', () => {
  const due = (age: number, hours: number): RequestItem => {
    const at = new Date(Date.parse('2026-11-21T12:00:00.000Z') + hours * 3_600_000).toISOString();
    return { ...quote(age), due_at: at };
  };
  const state = showFirstPage(noRequests, page([due(5, 1), due(9, 3)], 'more'), 'attention');
  const read = page([due(0, 0.5), due(5, 1), due(9, 3), due(1, 23)]);
  const after = applyPoll(state, read).state;
  expect(after.list?.unseen).toEqual(['id-1000']);
});

it('finds a request by its reference in any case', () => {
  const state = firstPage(page([quote(1)]));
  expect(idOf(state, 'gp-999')).toBe('id-999');
  expect(idOf(state, 'id-999')).toBe('id-999');
  expect(idOf(state, 'GP-2K7Q')).toBe('GP-2K7Q');
});

it('puts a request that this user has brought back at its place, and no other', () => {
  const [first, third, back, fresh] = [quote(1), quote(3), quote(2), quote(0)];
  const shown = showFirstPage(noRequests, page([first, third]), 'quotes');
  const read = page([fresh, first, back, third]);
  const taken = takeIn(applyPoll(shown, read).state, new Set([back.id, 'of another list']), read);
  expect(listedRequests(taken).map(({ id }) => id)).toEqual([first.id, back.id, third.id]);
  expect(taken.list?.unseen).toEqual([fresh.id]);
});

it('knows where a search has found the requests of each page, as last read', () => {
  const found = (age: number) => ({ request: quote(age).id, part: 'note' as const, excerpt: String(age) });
  const first = firstPage({ ...page([quote(1), quote(2)], 'more'), found_in: [found(1), found(2)] });
  const both = appendPage(first, { ...page([quote(3)]), found_in: [found(3)] });
  expect([...(both.list?.found.values() ?? [])].map(({ excerpt }) => excerpt)).toEqual(['1', '2', '3']);
  const { state } = applyPoll(both, { ...page([quote(1), quote(2)]), found_in: [found(2)] });
  expect([...(state.list?.found.keys() ?? [])]).toEqual([quote(3).id, quote(2).id]);
});

it('lets a new request wait in a sorted list as in another one', () => {
  const start = (age: number, start_date: string) => ({ ...quote(age), start_date });
  const [soon, late, fresh] = [start(9, '2026-12-01'), start(8, '2026-12-24'), start(1, '2026-12-02')];
  const shown = showFirstPage(noRequests, page([soon, late], 'more'), 'quotes');
  const read = page([soon, fresh, late], 'more');
  const { state, gone } = applyPoll(shown, read);
  expect(state.list?.ids).toEqual([soon.id, late.id]);
  expect(state.list?.unseen).toEqual([fresh.id]);
  expect(gone).toEqual([]);
  const own = takeIn(state, new Set([fresh.id]), read);
  expect(own.list?.ids).toEqual([soon.id, fresh.id, late.id]);
});
