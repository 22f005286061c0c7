// The client in what it takes for a browser: sessions that come back in the address.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertUser, dataOf, eventNames } from './support/expect.mjs';
import { confirmLink } from './support/mail.mjs';
import { start } from './support/server.mjs';
import { until } from './support/until.mjs';

// One tab alone: a channel to others would keep this process alive.
globalThis.BroadcastChannel = undefined;

const server = await start();
after(() => server.stop());

/** Lets the client believe that it runs on the page at `address`. */
function visit(address) {
  const location = new URL(address);
  globalThis.window = {
    location,
    history: { state: null, replaceState: (_state, _title, url) => (location.href = url) },
    addEventListener() {},
    removeEventListener() {},
  };
  globalThis.document = { visibilityState: 'visible', addEventListener() {}, removeEventListener() {} };
  return location;
}

test('a link’s fragment signs in and is cleared from the address', async () => {
  const { email } = await server.person();
  dataOf(await server.client().signInWithOtp({ email }));
  const { location } = await confirmLink((await server.mail.next(email)).link);
  const page = visit(location.href);
  const client = server.client({ detectSessionInUrl: true });
  const { session } = dataOf(await client.getSession());
  assertUser(session.user);
  assert.equal(session.user.email, email);
  assert.equal(page.hash, '');
  await until('SIGNED_IN', () => eventNames(client).includes('SIGNED_IN'));
  await client.dispose();
});

test('a recovery link’s fragment is PASSWORD_RECOVERY', async () => {
  const { email } = await server.person();
  dataOf(await server.client().resetPasswordForEmail(email));
  const { location } = await confirmLink((await server.mail.next(email)).link);
  visit(location.href);
  const client = server.client({ detectSessionInUrl: true });
  dataOf(await client.getSession());
  await until('PASSWORD_RECOVERY', () => eventNames(client).includes('PASSWORD_RECOVERY'));
  await client.dispose();
});

test('a used link’s fragment is an error and signs nobody in', async () => {
  const { email } = await server.person();
  dataOf(await server.client().signInWithOtp({ email }));
  const { link } = await server.mail.next(email);
  await confirmLink(link);
  const { location } = await confirmLink(link);
  visit(location.href);
  const client = server.client({ detectSessionInUrl: true });
  const { error } = await client.initialize();
  assert.equal(error.details.code, 'otp_expired');
  assert.equal((await client.getSession()).data.session, null);
  await client.dispose();
});
