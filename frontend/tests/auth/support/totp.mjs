// The second factor's codes (RFC 6238: SHA-1, 6 digits, 30 seconds), as an authenticator app would
// show them.
import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const bytes = (base32) => {
  const bits = [...base32.replace(/=+$/, '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g).map((octet) => Number.parseInt(octet, 2)));
};

/**
 * The present time step. A test that needs a certain one fixes it first: the next may begin at any
 * moment.
 */
export const stepNow = () => Math.floor(Date.now() / 30_000);

/** The code of a time step. */
export function totp(secret, step = stepNow()) {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', bytes(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest[19] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** A code that no nearby step has. */
export function wrongCode(secret) {
  const near = [-2, -1, 0, 1, 2, 3].map((steps) => totp(secret, stepNow() + steps));
  const candidates = ['000000', '111111', '222222', '333333', '444444', '555555', '666666'];
  return candidates.find((code) => !near.includes(code));
}
