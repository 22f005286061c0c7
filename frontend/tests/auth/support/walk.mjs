// A browser's way through redirects, to a provider and back.
import assert from 'node:assert/strict';

/** Follows redirects from `address` until they lead back to a page of the site; gives that address. */
export async function walk(site, address) {
  let at = new URL(address);
  for (let steps = 0; steps < 6; steps += 1) {
    const answer = await fetch(at, { redirect: 'manual' });
    assert.ok(answer.status >= 300 && answer.status < 400, `${at} answered ${answer.status}`);
    at = new URL(answer.headers.get('location'), at);
    if (at.origin === site && !at.pathname.startsWith('/auth/v1/')) return at;
  }
  throw new Error('too many redirects');
}
