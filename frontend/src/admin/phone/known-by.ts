// By what a caller is looked up: a number that is whole, or else an address.

export type Typed = { phone: string; email: string };

/** The field by which a caller is looked up, and the words to search for. */
export type Known = { by: keyof Typed; query: string };

/** Digits of the shortest number that is looked up. */
const minDigits = 10;

/** In the order in which they are tried; none if nothing typed is whole yet. */
export function knownBy({ phone, email }: Typed): Known[] {
  const isNumber = phone.replace(/\D/g, '').length >= minDigits;
  const isAddress = /^\S+@\S+\.[A-Za-z]{2,}$/.test(email.trim());
  return [
    ...(isNumber ? [{ by: 'phone' as const, query: phone.trim() }] : []),
    ...(isAddress ? [{ by: 'email' as const, query: email.trim() }] : []),
  ];
}
