import { expect, it } from 'vitest';
import { outcomeText } from './format';

it.each<[Parameters<typeof outcomeText>[0], string | null | undefined, string]>([
  [{ outcome: 'won', per: 'month' }, '1250.50', 'Won, $1,250.50 a month'],
  [{ outcome: 'won', per: 'total' }, '900.00', 'Won, $900 in all'],
  [{ outcome: 'lost', reason: 'price' }, null, 'Lost: price'],
  [{ outcome: 'not_customer' }, undefined, 'Not a customer'],
])('says how a request has ended', (outcome, value, text) => {
  expect(outcomeText(outcome, value)).toBe(text);
});
