// How a request has ended, in words.
import type { RequestOutcome } from '../../api/inbox';

/** The outcomes, in the order of their keys 1 to 3. */
export const outcomes = [
  ['won', 'Won'],
  ['lost', 'Lost'],
  ['not_customer', 'Not a customer'],
] as const;

export type OutcomeName = RequestOutcome['outcome'];

/** Why a request is lost. */
export const reasons: readonly (readonly [value: string, label: string])[] = [
  ['price', 'Price'],
  ['competitor', 'Another company'],
  ['timing', 'Not needed any longer'],
  ['no_answer', 'No answer from them'],
  ['cannot_serve', 'We cannot serve it'],
  ['other', 'Other'],
];

function outcomeName(outcome: OutcomeName): string {
  return outcomes.find(([value]) => value === outcome)?.[1] ?? outcome;
}

type Told = Pick<RequestOutcome, 'outcome' | 'reason' | 'per'>;

/** As in "Won, $1,250.50 a month" or "Lost: price". `value` is in dollars and cents. */
export function outcomeText({ outcome, reason, per }: Told, value: string | null | undefined): string {
  const why = reasons.find(([known]) => known === reason)?.[1];
  const name = why ? `${outcomeName(outcome)}: ${why.toLowerCase()}` : outcomeName(outcome);
  return value ? `${name}, ${money(value)} ${per === 'month' ? 'a month' : 'in all'}` : name;
}

/** Dollars, with cents if there are any. */
function money(value: string): string {
  const digits = value.endsWith('.00') ? 0 : 2;
  return Number(value).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
