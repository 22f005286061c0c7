import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertError, assertErrorResponse, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { confirmLink, fragment, linkPage } from './support/mail.mjs';
import { start } from './support/server.mjs';

const server = await start({ auth: { redirect_urls: ['https://app.example/welcome'] } });
after(() => server.stop());

/** Asks for a magic link and gives the mail. */
async function magicLink(email, options = {}) {
  dataOf(await server.client().signInWithOtp({ email, options }));
  return server.mail.next(email);
}

test('a magic link’s code signs in, once', async () => {
  const { email } = await server.person();
  const { code } = await magicLink(email);
  const client = server.client();
  assertSession(dataOf(await client.verifyOtp({ email, token: code, type: 'magiclink' })).session);
  assert.deepEqual(eventNames(client), ['SIGNED_IN']);
  const again = assertError(
    await server.client().verifyOtp({ email, token: code, type: 'magiclink' }),
    403,
    'otp_expired',
  );
  assert.equal(again.message, 'Token has expired or is invalid');
});

test('a code is bound to its address', async () => {
  const [ann, bob] = [await server.person(), await server.person()];
  const { code } = await magicLink(ann.email);
  assertError(
    await server.client().verifyOtp({ email: bob.email, token: code, type: 'email' }),
    403,
    'otp_expired',
  );
  dataOf(await server.client().verifyOtp({ email: ann.email, token: code, type: 'email' }));
});

test('five wrong codes invalidate the right one', async () => {
  const { email } = await server.person();
  const { code } = await magicLink(email);
  const wrong = code === '123456' ? '654321' : '123456';
  for (let tries = 0; tries < 5; tries += 1) {
    const { error } = await server.client().verifyOtp({ email, token: wrong, type: 'email' });
    assert.equal(error.code, 'otp_expired');
  }
  assertError(await server.client().verifyOtp({ email, token: code, type: 'email' }), 403, 'otp_expired');
});

test('a newer email invalidates the older one, and recovery and magic links share one slot', async () => {
  const { email } = await server.person();
  const older = await magicLink(email);
  const newer = await magicLink(email);
  if (older.code !== newer.code) {
    assertError(
      await server.client().verifyOtp({ email, token: older.code, type: 'email' }),
      403,
      'otp_expired',
    );
  }
  dataOf(await server.client().resetPasswordForEmail(email));
  await server.mail.next(email);
  assertError(
    await server.client().verifyOtp({ email, token: newer.code, type: 'email' }),
    403,
    'otp_expired',
  );
});

test('opening a link does not use it; its button signs in', async () => {
  const { email } = await server.person();
  const { link } = await magicLink(email);
  for (let looks = 0; looks < 3; looks += 1) {
    const page = await linkPage(link);
    assert.equal(page.status, 200);
    assert.equal(page.method.toLowerCase(), 'post');
    assert.equal(new URL(page.action).origin, server.site);
  }
  const { status, location } = await confirmLink(link);
  assert.equal(status, 303);
  assert.equal(location.origin, server.site);
  const found = fragment(location);
  for (const name of ['access_token', 'refresh_token', 'expires_in', 'expires_at'])
    assert.ok(found.get(name), name);
  assert.equal(found.get('token_type'), 'bearer');
  assert.equal(found.get('type'), 'magiclink');
  assert.ok(found.has('sb'));
  const { user } = dataOf(await server.client().getUser(found.get('access_token')));
  assert.equal(user.email, email);
});

test('a used link reports the error in the fragment', async () => {
  const { email } = await server.person();
  const { link } = await magicLink(email);
  await confirmLink(link);
  const { status, location } = await confirmLink(link);
  assert.equal(status, 303);
  const found = fragment(location);
  assert.equal(found.get('error'), 'access_denied');
  assert.equal(found.get('error_code'), 'otp_expired');
  assert.ok(found.get('error_description'));
  assert.equal(found.get('access_token'), null);
});

test('the confirmation form rejects cross-site posts', async () => {
  const { email } = await server.person();
  const { link } = await magicLink(email);
  const { status, location } = await confirmLink(link, {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
  });
  assert.equal(status, 403);
  assert.equal(location, undefined);
  assert.equal((await confirmLink(link)).status, 303);
});

test('an emailed link redirects only to the site and to configured URLs', async () => {
  const { email } = await server.person();
  const allowed = 'https://app.example/welcome';
  for (const [asked, lands] of [
    [`${server.site}/admin?tab=quotes`, `${server.site}/admin`],
    [allowed, allowed],
    ['https://evil.example/', server.site],
    ['//evil.example/', server.site],
    ['javascript:alert(1)', server.site],
    [`${server.site}@evil.example/`, server.site],
    [`${server.site}.evil.example/`, server.site],
    [`${server.site}\\@evil.example`, server.site],
    ['https://app.example.evil.example/welcome', server.site],
    [`${server.site.replace('http:', 'https:')}/admin`, server.site],
  ]) {
    const { link } = await magicLink(email, { emailRedirectTo: asked });
    assert.ok(!link.includes('evil.example'), asked);
    const { location } = await confirmLink(link);
    assert.ok(location.href.startsWith(lands), `${asked} -> ${location}`);
    assert.ok(!location.host.includes('evil'), asked);
  }
});

test('a link with a changed redirect does not redirect there', async () => {
  const { email } = await server.person();
  const { link } = await magicLink(email);
  const changed = new URL(link);
  changed.searchParams.set('redirect_to', 'https://evil.example/');
  const { location } = await confirmLink(changed.href);
  assert.equal(location.origin, server.site);
});

test('a link’s token hash works without the address, and not with it', async () => {
  const { email } = await server.person();
  const { link } = await magicLink(email);
  const token_hash = new URL(link).searchParams.get('token');
  const body = { type: 'email', token_hash, email };
  await assertErrorResponse(await server.call('POST', '/verify', { body }), 400, 'validation_failed');
  assertSession(dataOf(await server.client().verifyOtp({ token_hash, type: 'email' })).session);
  const again = assertError(
    await server.client().verifyOtp({ token_hash, type: 'email' }),
    403,
    'otp_expired',
  );
  assert.equal(again.message, 'Email link is invalid or has expired');
});

test('a verification without type, token or a known type is malformed', async () => {
  for (const body of [
    { email: 'a@example.com', token: '123456' },
    { email: 'a@example.com', type: 'email' },
    { token: '123456', type: 'email' },
    { email: 'a@example.com', token: '123456', type: 'pigeon' },
    { token: '123456', token_hash: 'abc', email: 'a@example.com', type: 'email' },
  ]) {
    await assertErrorResponse(await server.call('POST', '/verify', { body }), 400, 'validation_failed');
  }
});

test('requesting a code for an unknown address creates an account if create_user is set', async () => {
  const email = server.address();
  dataOf(await server.client().signInWithOtp({ email, options: { shouldCreateUser: false } }));
  assert.equal(server.mail.count(email), 0);
  const { code } = await magicLink(email, { data: { name: 'New' } });
  const { user, session } = dataOf(await server.client().verifyOtp({ email, token: code, type: 'email' }));
  assertSession(session);
  assert.deepEqual(user.user_metadata, { name: 'New' });
});

test('phone sign-up is disabled', async () => {
  assertError(await server.client().signInWithOtp({ phone: '15550142' }), 400, 'phone_provider_disabled');
});

test('recovery sets a new password', async () => {
  const person = await server.person();
  const other = await server.signIn(person);
  const client = server.client();
  dataOf(await client.resetPasswordForEmail(person.email));
  const { code, link } = await server.mail.next(person.email);
  assert.ok(link.includes('type=recovery'));
  dataOf(await client.verifyOtp({ email: person.email, token: code, type: 'recovery' }));
  assert.deepEqual(eventNames(client), ['PASSWORD_RECOVERY']);
  const password = 'Fresh-Walnut-Ferry-77';
  dataOf(await client.updateUser({ password }));
  assert.ok((await other.getUser()).error, 'other sessions are over');
  assertError(await server.client().signInWithPassword(person), 400, 'invalid_credentials');
  dataOf(await server.client().signInWithPassword({ ...person, password }));
});

test('recovery responds to an unknown address as to a known one', async () => {
  dataOf(await server.client().resetPasswordForEmail(server.address()));
  assertError(await server.client().resetPasswordForEmail('nobody'), 400, 'validation_failed');
});

test('resend sends a pending sign-up email again, and nothing else', async () => {
  const email = server.address();
  const client = server.client();
  dataOf(await client.signUp({ email, password: 'Walnut-Ferry-Kestrel-44' }));
  await server.mail.next(email);
  dataOf(await client.resend({ type: 'signup', email }));
  const { code } = await server.mail.next(email);
  dataOf(await client.verifyOtp({ email, token: code, type: 'signup' }));
  dataOf(await client.resend({ type: 'signup', email: server.address() }));
  const body = { type: 'recovery', email };
  await assertErrorResponse(await server.call('POST', '/resend', { body }), 400, 'validation_failed');
});
