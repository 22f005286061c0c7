import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertError, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { confirmLink, fragment } from './support/mail.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());
const admin = await server.admin();
const password = 'Walnut-Ferry-Kestrel-47';

test('a sign-up link creates the account and sends no email', async () => {
  const email = server.address();
  const { user, properties } = dataOf(
    await admin.generateLink({ type: 'signup', email, password, options: { data: { name: 'Ann' } } }),
  );
  assert.equal(user.email, email);
  assert.deepEqual(user.user_metadata, { name: 'Ann' });
  assert.equal(properties.verification_type, 'signup');
  assert.match(properties.email_otp, /^[0-9]{6}$/);
  assert.ok(properties.action_link.includes(properties.hashed_token));
  assert.equal(new URL(properties.redirect_to).origin, server.site);
  const { location } = await confirmLink(properties.action_link);
  assert.ok(fragment(location).get('access_token'));
  dataOf(await server.client().signInWithPassword({ email, password }));
  assert.equal(server.mail.count(email), 0);
});

test('an invitation creates an account without a password until one is set', async () => {
  const email = server.address();
  const { user, properties } = dataOf(await admin.generateLink({ type: 'invite', email }));
  assert.ok(user.invited_at);
  assertError(await server.client().signInWithPassword({ email, password }), 400, 'invalid_credentials');
  const client = server.client();
  const invited = dataOf(await client.verifyOtp({ token_hash: properties.hashed_token, type: 'invite' }));
  assertSession(invited.session);
  dataOf(await client.updateUser({ password }));
  dataOf(await server.client().signInWithPassword({ email, password }));
});

test('a magic link signs in an existing user', async () => {
  const { email } = await server.person();
  const { properties } = dataOf(await admin.generateLink({ type: 'magiclink', email }));
  assert.equal(properties.verification_type, 'magiclink');
  assertSession(
    dataOf(await server.client().verifyOtp({ email, token: properties.email_otp, type: 'email' })).session,
  );
});

test('a magic link for an unknown address becomes a sign-up', async () => {
  const email = server.address();
  const { properties } = dataOf(await admin.generateLink({ type: 'magiclink', email }));
  assert.equal(properties.verification_type, 'signup');
  assertSession(
    dataOf(await server.client().verifyOtp({ token_hash: properties.hashed_token, type: 'signup' })).session,
  );
});

test('a recovery link requires an existing user', async () => {
  const { email } = await server.person();
  const { properties } = dataOf(await admin.generateLink({ type: 'recovery', email }));
  const client = server.client();
  dataOf(await client.verifyOtp({ token_hash: properties.hashed_token, type: 'recovery' }));
  assert.deepEqual(eventNames(client), ['PASSWORD_RECOVERY']);
  assertError(await admin.generateLink({ type: 'recovery', email: server.address() }), 404, 'user_not_found');
});

test('both links of an email change are needed to change it', async () => {
  const person = await server.person();
  const newEmail = server.address();
  const current = dataOf(
    await admin.generateLink({ type: 'email_change_current', email: person.email, newEmail }),
  ).properties;
  const next = dataOf(
    await admin.generateLink({ type: 'email_change_new', email: person.email, newEmail }),
  ).properties;
  const half = await server.client().verifyOtp({ token_hash: current.hashed_token, type: 'email_change' });
  assert.equal(half.error, null, half.error?.message);
  const { user } = dataOf(
    await server.client().verifyOtp({ token_hash: next.hashed_token, type: 'email_change' }),
  );
  assert.equal(user.email, newEmail);
});

test('invalid link requests are rejected', async () => {
  const [ann, bob] = [await server.person(), await server.person()];
  assertError(await admin.generateLink({ type: 'signup', email: ann.email, password }), 422, 'email_exists');
  assertError(await admin.generateLink({ type: 'invite', email: ann.email }), 422, 'email_exists');
  assertError(
    await admin.generateLink({ type: 'signup', email: server.address(), password: 'short' }),
    422,
    'weak_password',
  );
  assertError(
    await admin.generateLink({ type: 'email_change_new', email: ann.email, newEmail: bob.email }),
    422,
    'email_exists',
  );
  assertError(
    await admin.generateLink({ type: 'email_change_new', email: ann.email }),
    400,
    'validation_failed',
  );
  assertError(await admin.generateLink({ type: 'pigeon', email: ann.email }), 400, 'validation_failed');
});

test('a link redirects only to allowed URLs', async () => {
  const { email } = await server.person();
  const { properties } = dataOf(
    await admin.generateLink({
      type: 'magiclink',
      email,
      options: { redirectTo: 'https://evil.example/' },
    }),
  );
  assert.equal(new URL(properties.redirect_to).origin, server.site);
  const { location } = await confirmLink(properties.action_link);
  assert.equal(location.origin, server.site);
});
