// Exact arithmetic of cents, and amounts in words, as in src/domain/offer/lines.rs.

/** Half up: 0.5 is 1, -0.5 is 0. Products are exact beyond 2^53. */
export function divided(factors: number[], divisor: number): number {
  const by = 2n * BigInt(divisor);
  const doubled = 2n * product(factors) + BigInt(divisor);
  const quotient = doubled / by;
  // Division of BigInt truncates; below zero the floor is one less.
  return Number(doubled % by < 0n ? quotient - 1n : quotient);
}

export const multiplied = (factors: number[]): number => Number(product(factors));

const product = (factors: number[]) => factors.reduce((all, factor) => all * BigInt(factor), 1n);

/** A part of an amount in basis points. */
export const part = (cents: number, basisPoints: number) => divided([cents, basisPoints], 10_000);

/** An amount as `$1,234.50`. */
export function dollars(cents: number): string {
  const amount = Math.abs(cents);
  const whole = Math.floor(amount / 100).toLocaleString('en-US');
  return `${cents < 0 ? '−' : ''}$${whole}.${String(amount % 100).padStart(2, '0')}`;
}

/** Minutes as `12 h` or `7 h 30 min`. */
export function hours(minutes: number): string {
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (!rest) return `${whole} h`;
  return whole ? `${whole} h ${rest} min` : `${rest} min`;
}

/** A number with its noun, as `2 officers`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
