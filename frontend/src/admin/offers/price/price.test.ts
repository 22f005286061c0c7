import { expect, it } from 'vitest';
import seed from '../../../../../seeds/offers/cases.json';
import type { RateCard, Terms } from '../../../api/offer-types';
import { divided, dollars, hours } from './amounts';
import { priceOf, totalFault } from './price';

const zones: Record<string, string> = {
  TX: 'America/Chicago',
  CA: 'America/Los_Angeles',
  AZ: 'America/Phoenix',
  CO: 'America/Denver',
};
const cards = seed.cards as unknown as Record<string, RateCard>;

it('prices every case as the oracle does, to the cent', () => {
  for (const { name, card, terms, lines, ...sums } of seed.cases) {
    const found = priceOf(
      cards[card] as RateCard,
      terms as unknown as Terms,
      (state) => zones[state] ?? 'America/New_York',
    );
    expect({ name, lines: found.lines.map(({ cents }) => cents) }).toEqual({ name, lines });
    const { subtotal, discount, total, month } = found;
    const taxes = found.taxes.map(({ cents }) => cents);
    expect({ name, subtotal, discount, taxes, total, month }).toEqual({ name, ...sums });
  }
});

it('refuses a total below zero by the line that makes it so', () => {
  expect(seed.refused.length).toBeGreaterThan(5);
  for (const { name, card, terms, field, message } of seed.refused) {
    const refused = terms as unknown as Terms;
    const price = priceOf(cards[card] as RateCard, refused, () => 'America/Chicago');
    expect({ name, ...totalFault(refused, price) }).toEqual({ name, [field]: message });
  }
});

it('says how each line came about', () => {
  const [{ card, terms }] = seed.cases as [(typeof seed.cases)[number]];
  const { lines } = priceOf(cards[card] as RateCard, terms as unknown as Terms, () => 'America/Chicago');
  expect(lines.map(({ how }) => how)).toEqual([
    '80 h × 1 officer × $34.00',
    '40 h × 1 officer × $36.00 (night +$2.00)',
    '32 h × 1 officer × $35.70 (weekend +$1.70)',
    '16 h × 1 officer × $37.70 (weekend +$1.70, night +$2.00)',
  ]);
});

it('rounds halves up', () => {
  for (const [amount, rounded] of [
    [5, 1],
    [4, 0],
    [-5, 0],
    [-6, -1],
    [15, 2],
  ] as const)
    expect(divided([amount], 10)).toBe(rounded);
});

it('writes amounts and hours as people read them', () => {
  expect([0, 5, 123_456_789, -100].map(dollars)).toEqual(['$0.00', '$0.05', '$1,234,567.89', '−$1.00']);
  expect([720, 450, 45].map(hours)).toEqual(['12 h', '7 h 30 min', '45 min']);
});
