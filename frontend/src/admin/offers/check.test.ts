// What the editor says of a draft before the server does, and what it adds to one.
import card from '@seeds/offers/rate-card.json';
import { expect, it } from 'vitest';
import type { OfferDraft, RateCard } from '../../api/offers';
import { withValue } from '../site/shape';
import { amountText, anotherPost, parseAmount, unreadable, withClass } from './draft';
import { parseDiscount } from './fields/extra-fields';
import { dollars, lastDayOf } from './words';

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
const with_ = (path: string, value: unknown) => withValue(draft, path.split('.'), value) as OfferDraft;

it.each([
  ['terms.start', '', 'start', 'Choose the first day.'],
  ['terms.posts.0.officers', Number.NaN, 'posts.0.officers', 'Enter a number of officers.'],
  ['terms.posts.0.schedule', { kind: 'always', from: '' }, 'posts.0.schedule.from', 'Enter a time.'],
])('with %s = %j, says so at %s', (path, value, field, message) => {
  expect(unreadable(with_(path, value))).toEqual({ [field]: message });
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

it('writes amounts as people read them, and knows the last day of a week', () => {
  expect([0, 5, 123_456_789, -100].map(dollars)).toEqual(['$0.00', '$0.05', '$1,234,567.89', '−$1.00']);
  expect(lastDayOf('2026-12-29')).toBe('2027-01-04');
});
