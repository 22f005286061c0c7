// A browser's way through redirects, to a provider and back, with the cookies that the site sets on
// it.
import assert from 'node:assert/strict';

/** A browser: `fetch` keeps the cookies of each host and brings them back. */
export function browser() {
  const cookies = new Map();
  return {
    async fetch(address, options = {}) {
      const { host } = new URL(address);
      const headers = new Headers(options.headers);
      if (cookies.has(host)) headers.set('cookie', cookies.get(host));
      const answer = await fetch(address, { ...options, headers });
      for (const line of answer.headers.getSetCookie()) cookies.set(host, line.split(';')[0]);
      return answer;
    },
  };
}

/**
 * Follows redirects from `address` until they lead back to a page of the site; gives that address.
 */
export async function followRedirects(site, address, through = browser()) {
  let at = new URL(address);
  for (let steps = 0; steps < 6; steps += 1) {
    const answer = await through.fetch(at, { redirect: 'manual' });
    assert.ok(answer.status >= 300 && answer.status < 400, `${at} answered ${answer.status}`);
    at = new URL(answer.headers.get('location'), at);
    if (at.origin === site && !at.pathname.startsWith('/auth/v1/')) return at;
  }
  throw new Error('too many redirects');
}
