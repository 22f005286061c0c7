// By what a caller is looked up: a number that is whole, or else an address.

export type Typed = { phone: string; email: string };

/** Digits of the shortest number that is looked up. */
const minDigits = 10;

/** The words to search for; empty if nothing typed is whole yet. */
export function knownBy({ phone, email }: Typed): string {
  if (phone.replace(/\D/g, '').length >= minDigits) return phone.trim();
  return /^\S+@\S+\.[A-Za-z]{2,}$/.test(email.trim()) ? email.trim() : '';
}
