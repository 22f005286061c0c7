// The example beside the rates is priced as an offer is.
import card from '@seeds/offers/rate-card.json';
import { expect, it } from 'vitest';
import type { RateCard } from '../../api/offer-types';
import type { Priced } from '../offers/price/price-view';
import { examplePrice } from './example';

const rates = card as unknown as RateCard;
const friday = new Date(2026, 5, 5);
const total = (of: RateCard, example: Parameters<typeof examplePrice>[1]) =>
  (examplePrice(of, example, friday) as Priced).price.total;

it('follows the rates, the number of officers and the place', () => {
  const one = { class: 'fire-watch', officers: 1, state: 'TX' };
  const { terms } = examplePrice(rates, one, friday) as Priced;
  expect([terms.start, terms.end]).toEqual(['2026-06-08', '2026-06-14']);
  // 168 hours with the additions for nights and the weekend, and the tax of Texas.
  expect(total(rates, one)).toBe(639_281);
  expect(total(rates, { ...one, officers: 2 })).toBe(2 * 639_281);
  expect(total(rates, { ...one, state: 'OH' })).toBe(590_560);
  const classes = { ...rates.classes, 'fire-watch': { ...rates.classes['fire-watch'], rate_cents: 3500 } };
  expect(total({ ...rates, classes } as RateCard, one)).toBeGreaterThan(639_281);
});

it('counts visits, and says what is wrong with a class', () => {
  expect(total(rates, { class: 'patrol-visit', officers: 1, state: 'OH' })).toBe(3 * 7 * 3500);
  expect(examplePrice(rates, { class: 'none', officers: 1, state: 'TX' }, friday)).toEqual({
    'posts.0.class': 'Choose a class of the rate card.',
  });
});
