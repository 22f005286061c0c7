// The order of "Needs attention": no emergency is buried.
import { expect, it } from 'vitest';
import type { RequestItem } from '../../../api/inbox';
import { orderOf } from './list-order';
import type { Sort } from './sort';

const now = Date.parse('2026-11-21T12:00:00.000Z');

function request(id: string, minutesLeft: number, changes: Partial<RequestItem> = {}): RequestItem {
  return {
    id,
    due_at: new Date(now + minutesLeft * 60_000).toISOString(),
    status: 'pending',
    emergency_contact: false,
    held: false,
    ...changes,
  } as RequestItem;
}

const followUp = (id: string) => ({ follow_up: { at: '', due: true, by: { id } } }) as Partial<RequestItem>;

const emergency = { emergency_contact: true };

it('puts emergencies that were not reached first, then what is to be followed up, then what is newly overdue, then what is due soon', () => {
  const listed = [
    request('emergency-overdue', -10, emergency),
    request('emergency-emailed', 5, { ...emergency, emailed_at: '2026-11-21T11:00:00.000Z' }),
    request('emergency', 29, { ...emergency, status: 'in_progress' }),
    request('own-follow-up', -60, followUp('ada')),
    request('follow-up', 60, followUp('kim')),
    request('overdue-just-now', -1),
    request('overdue-called', -5, {
      ...emergency,
      answered_at: '2026-11-21T11:00:00.000Z',
      reply_failed: true,
    }),
    request('overdue-18-days', -18 * 24 * 60),
    request('due-soon', 10),
    request('due-later', 23 * 60),
  ];
  const before = orderOf('attention', now, 'ada');
  const sorted = [...listed].reverse().sort((one, other) => (before(one, other) ? -1 : 1));
  expect(sorted.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
});

it.each([
  ['received', ['oldest', 'won', 'newest', 'message']],
  ['-received', ['message', 'newest', 'won', 'oldest']],
  ['due', ['message', 'newest', 'won', 'oldest']],
  ['start', ['won', 'newest', 'oldest', 'message']],
  ['-start', ['oldest', 'newest', 'won', 'message']],
  ['value', ['won', 'newest', 'message', 'oldest']],
  ['-value', ['newest', 'won', 'oldest', 'message']],
] as [Sort, string[]][])('sorts by %s as the server does, what lacks it last', (sort, expected) => {
  const at = (hour: number, due: number, changes: object) =>
    request('', due, { created_at: `2026-11-21T0${hour}:00:00.000Z`, ...changes });
  const offer = { offer: { total_cents: 90_100 } } as Partial<RequestItem>;
  const won = { status: 'completed', outcome: { outcome: 'won', value: '900.50' } } as Partial<RequestItem>;
  const listed = [
    { ...at(1, 40, { start_date: '2026-12-24' }), id: 'oldest' },
    { ...at(2, 30, { start_date: '2026-12-01', ...offer, ...won }), id: 'won' },
    { ...at(3, 20, { start_date: '2026-12-02', ...offer }), id: 'newest' },
    { ...at(4, 10, {}), id: 'message' },
  ];
  const before = orderOf('attention', now, 'ada', sort);
  const found = listed.sort((one, other) => (before(one, other) ? -1 : 1));
  expect(found.map(({ id }) => id)).toEqual(expected);
});
