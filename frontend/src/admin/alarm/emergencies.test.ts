// Which emergencies raise the alarm.
import { expect, it } from 'vitest';
import type { RequestItem } from '../../api/inbox';
import { alarming, alarmTitle } from './emergencies';

const now = Date.parse('2026-11-26T10:00:00Z');
const urgent = {
  id: 'a',
  kind: 'quote',
  service: 'fire-watch',
  location: 'Houston, TX',
  created_at: '2026-11-26T09:50:00Z',
  awaits_call: true,
} as RequestItem;

const ids = (requests: RequestItem[], opened: string[] = []) =>
  alarming(requests, new Set(opened), now).map(({ id }) => id);

it('is raised until a person takes or opens the request, or no call is due', () => {
  expect(ids([urgent])).toEqual(['a']);
  expect(ids([{ ...urgent, assignee: { id: 'ada' } } as RequestItem])).toEqual([]);
  expect(ids([{ ...urgent, awaits_call: false }])).toEqual([]);
  expect(ids([urgent], ['a'])).toEqual([]);
});

it('names the one that waits longest, of the last day', () => {
  const older = { ...urgent, id: 'b', location: 'Katy, TX', created_at: '2026-11-26T03:00:00Z' };
  const stale = { ...urgent, id: 'c', created_at: '2026-11-25T09:59:00Z' };
  expect(ids([urgent, older, stale])).toEqual(['b', 'a']);
  expect(alarmTitle([older, urgent])).toBe('(2) EMERGENCY Katy, fire watch');
  expect(alarmTitle([])).toBe('');
});
