// What the editor says of a draft before the server does.
import card from '@seeds/offers/rate-card.json';
import { expect, it } from 'vitest';
import type { OfferDraft, RateCard, Schedule } from '../../api/offer-types';
import { withValue } from '../site/shape';
import { faultsOf, unreadable } from './check';
import { amountText, anotherPost, parseAmount, withClass, zoneOf } from './draft';
import { parseDiscount } from './fields/extra-fields';
import { lastDayOf } from './words';

const rates = card as unknown as RateCard;
const draft: OfferDraft = {
  terms: {
    start: '2026-12-01',
    end: '2026-12-07',
    notice_hours: null,
    posts: [
      {
        title: '',
        city: 'Houston',
        state: 'TX',
        class: 'fire-watch',
        officers: 1,
        schedule: { kind: 'always', from: '08:00' },
        same_officers: false,
        equipment: [],
      },
    ],
    manual: [],
    discount: null,
    tax_exemption: null,
  },
  message: '',
  unconfirmed_schedules: [],
  valid_until: '2026-12-10',
};
const today = '2026-11-25';
const with_ = (path: string, value: unknown) => withValue(draft, path.split('.'), value) as OfferDraft;

it('finds nothing wrong with the commonest offer', () => {
  expect(faultsOf(draft, rates, today)).toEqual({});
});

const noShifts: Schedule = { kind: 'weekly', shifts: [] };
const outside: Schedule = { kind: 'single', shifts: [{ date: '2026-12-08', from: '08:00', to: '16:00' }] };

it.each([
  ['terms.start', '2026-11-24', 'start', 'The start is in the past. Choose today or a later day.'],
  ['terms.end', '2026-11-30', 'end', 'The last day is before the start.'],
  [
    'terms.end',
    '2126-12-01',
    'end',
    'The term is longer than three years. Offer an ongoing service instead.',
  ],
  ['terms.start', '', 'start', 'Choose the first day.'],
  ['valid_until', '2026-11-01', 'valid_until', 'Choose a day from today, at most 365 days ahead.'],
  ['terms.posts', [], 'posts', 'Add at least one post.'],
  ['terms.posts.0.state', '', 'posts.0.state', 'Choose a state.'],
  ['terms.posts.0.class', 'none', 'posts.0.class', 'Choose a class of the rate card.'],
  ['terms.posts.0.officers', 0, 'posts.0.officers', 'Enter 1 to 500.'],
  ['terms.posts.0.officers', Number.NaN, 'posts.0.officers', 'Enter a number of officers.'],
  ['terms.posts.0.schedule', noShifts, 'posts.0.schedule', 'The post has no hours in the term. Add a shift.'],
  ['terms.posts.0.schedule', outside, 'posts.0.schedule', 'A shift is outside of the term.'],
  ['terms.posts.0.schedule', { kind: 'always', from: '' }, 'posts.0.schedule.from', 'Enter a time.'],
  ['terms.manual', [{ title: ' ', cents: 100, state: null }], 'manual.0.title', 'Say what the line is for.'],
  [
    'terms.manual',
    [{ title: 'Fence', cents: 10_000_000_001, state: null }],
    'manual.0.cents',
    'Enter an amount other than 0, up to $100 million.',
  ],
  [
    'terms.discount',
    { basis_points: 500, cents: 0, reason: '' },
    'discount.reason',
    'Say why there is a discount.',
  ],
  [
    'terms.discount',
    { basis_points: 10_100, cents: 0, reason: 'x' },
    'discount',
    'Enter a discount of more than 0 and at most 100%.',
  ],
  ['terms.tax_exemption', '', 'tax_exemption', 'Enter the number of the exemption certificate.'],
  ['message', 'x'.repeat(2001), 'message', 'At most 2000 characters.'],
])('with %s = %j, says so at %s', (path, value, field, message) => {
  expect(faultsOf(with_(path, value), rates, today)).toEqual({ [field]: message });
});

it('keeps a draft that cannot be read out of the server, and no other', () => {
  expect(Object.keys(unreadable(with_('terms.end', '')))).toEqual(['end']);
  expect(unreadable(with_('terms.posts.0.state', ''))).toEqual({});
});

it('reads amounts and discounts as people type them', () => {
  const typed = ['1,250', '$99.5', '-20', '−$20.00', '0', 'ten', '1.234', '99999999999'];
  const cents = [125_000, 9950, -2000, -2000, 0, Number.NaN, Number.NaN, Number.NaN];
  expect(typed.map(parseAmount)).toEqual(cents);
  expect([125_000, Number.NaN].map(amountText)).toEqual(['1250.00', '']);
  expect(parseDiscount('7.5 %')).toEqual({ basis_points: 750, cents: 0 });
  expect(parseDiscount('100')).toEqual({ basis_points: 0, cents: 10_000 });
});

it('gives a class that is charged by visit a schedule of visits, and takes it away again', () => {
  const [post] = draft.terms.posts;
  if (!post) throw new Error('no post');
  const patrol = withClass(post, 'patrol-visit', rates, '2026-12-01');
  expect(patrol.schedule.kind).toBe('visits');
  expect(withClass(patrol, 'armed', rates, '2026-12-01').schedule.kind).toBe('always');
  expect(withClass(post, 'armed', rates, '2026-12-01').schedule).toBe(post.schedule);
});

it('adds a post at the place of the last one', () => {
  expect(anotherPost(draft.terms, rates)).toMatchObject({
    city: 'Houston',
    state: 'TX',
    class: 'fire-watch',
  });
});

it('knows the time zone of a state, and the last day of a week', () => {
  expect(['TX', 'AZ', 'FL'].map(zoneOf)).toEqual(['America/Chicago', 'America/Phoenix', 'America/New_York']);
  expect(lastDayOf('2026-12-29')).toBe('2027-01-04');
});
