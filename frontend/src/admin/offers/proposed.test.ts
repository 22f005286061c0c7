// Which schedules of a draft are unconfirmed.
import { expect, it } from 'vitest';
import type { OfferDraft, Post, Schedule } from '../../api/offers';
import { withValue } from '../site/shape';
import { confirmed, marked, unconfirmedFaults } from './draft';

const schedule = (): Schedule => ({ kind: 'always', from: '08:00' });
const post = (): Post => ({
  title: '',
  city: '',
  state: 'TX',
  class: 'armed',
  officers: 1,
  schedule: schedule(),
  same_officers: false,
  equipment: [],
});

function draftOf(posts: Post[], marks: number[]): OfferDraft {
  const terms = { posts, start: '', end: null, notice_hours: null, manual: [], discount: null };
  return {
    terms: { ...terms, tax_exemption: null },
    message: '',
    valid_until: '',
    unconfirmed_schedules: marks,
  };
}

function changed(draft: OfferDraft, field: string, value: unknown): number[] {
  const path = field.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const next = withValue(draft, ['terms', ...path], value) as OfferDraft;
  return marked(draft, next, field).unconfirmed_schedules;
}

it('takes a schedule that a person types for confirmed, and no other', () => {
  const draft = draftOf([post(), post()], [0, 1]);
  expect(changed(draft, 'posts.1.schedule.from', '09:00')).toEqual([0]);
  expect(changed(draft, 'posts.0.schedule', { kind: 'weekly', shifts: [] })).toEqual([1]);
  expect(changed(draft, 'posts.0.officers', 2)).toEqual([0, 1]);
  expect(confirmed(draft, 0).unconfirmed_schedules).toEqual([1]);
});

it('asks again where a schedule begins anew, and for each post that is added', () => {
  const draft = draftOf([post(), post()], []);
  const visits = { ...post(), class: 'patrol', schedule: { kind: 'visits', days: [], per_day: 3 } };
  expect(changed(draft, 'posts.0', visits)).toEqual([0]);
  expect(changed(draft, 'posts', [...draft.terms.posts, post()])).toEqual([2]);
});

it('keeps the marks of the other posts when one is removed', () => {
  const draft = draftOf([post(), post(), post()], [0, 2]);
  expect(changed(draft, 'posts', draft.terms.posts.slice(1))).toEqual([1]);
});

it('names the post and what to do', () => {
  expect(unconfirmedFaults(draftOf([post()], [0, 7]))).toEqual({
    'posts.0.schedule': 'These days and hours are only proposed. Confirm them, or enter others.',
  });
});
