// Amounts in words, as in src/domain/offer/lines.rs.

/** An amount as `$1,234.50`. */
export function dollars(cents: number): string {
  const amount = Math.abs(cents);
  const whole = Math.floor(amount / 100).toLocaleString('en-US');
  return `${cents < 0 ? '−' : ''}$${whole}.${String(amount % 100).padStart(2, '0')}`;
}
