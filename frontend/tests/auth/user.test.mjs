import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertError, assertErrorResponse, assertUser, dataOf, eventNames } from './support/expect.mjs';
import { confirmLink, fragment } from './support/mail.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());

test('the user can be read with the session or with a token', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  assertUser(dataOf(await client.getUser()).user);
  const { user } = dataOf(await server.client().getUser(client.session.access_token));
  assert.equal(user.id, person.id);
});

test('metadata is merged key by key, and null removes a key', async () => {
  const client = await server.signIn(await server.person());
  dataOf(await client.updateUser({ data: { name: 'Ann', shift: 'night' } }));
  const { user } = dataOf(await client.updateUser({ data: { shift: null, site: 'Dock 4' } }));
  assert.deepEqual(user.user_metadata, { name: 'Ann', site: 'Dock 4' });
  assert.deepEqual(eventNames(client), ['SIGNED_IN', 'USER_UPDATED', 'USER_UPDATED']);
});

test('users cannot raise their own role', async () => {
  const client = await server.signIn(await server.person());
  const token = client.session.access_token;
  await assertErrorResponse(
    await server.call('PUT', '/user', { token, body: { app_metadata: { roles: ['admin'] } } }),
    403,
    'not_admin',
  );
  const answer = await server.call('PUT', '/user', {
    token,
    body: { role: 'service_role', aud: 'x', id: 'x' },
  });
  assert.equal(answer.status, 200);
  assertUser(await answer.json());
});

test('a new password signs in, ends the other sessions and keeps this one', async () => {
  const person = await server.person();
  const other = await server.signIn(person);
  const client = await server.signIn(person);
  const password = 'Fresh-Walnut-Ferry-78';
  dataOf(await client.updateUser({ password }));
  dataOf(await client.getUser());
  const { error } = await other.getUser();
  assert.equal(error.name, 'AuthSessionMissingError');
  dataOf(await server.client().signInWithPassword({ ...person, password }));
});

test('a new password invalidates emailed links', async () => {
  const person = await server.person();
  dataOf(await server.client().resetPasswordForEmail(person.email));
  const { code } = await server.mail.next(person.email);
  const client = await server.signIn(person);
  dataOf(await client.updateUser({ password: 'Fresh-Walnut-Ferry-79' }));
  assertError(
    await server.client().verifyOtp({ email: person.email, token: code, type: 'recovery' }),
    403,
    'otp_expired',
  );
});

test('the same or a weak password is rejected', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  assertError(await client.updateUser({ password: person.password }), 422, 'same_password');
  assertError(await client.updateUser({ password: 'short' }), 422, 'weak_password');
});

test('an email changes when both the old and the new address have confirmed', async () => {
  const person = await server.person();
  const next = server.address();
  const client = await server.signIn(person);
  const asked = dataOf(await client.updateUser({ email: next })).user;
  assert.equal(asked.email, person.email);
  assert.equal(asked.new_email, next);
  const [old, fresh] = [await server.mail.next(person.email), await server.mail.next(next)];
  const first = await server
    .client()
    .verifyOtp({ email: person.email, token: old.code, type: 'email_change' });
  assert.equal(first.error, null, first.error?.message);
  assert.equal(first.data.session, null);
  assert.equal(dataOf(await client.getUser()).user.email, person.email);
  const { user } = dataOf(
    await server.client().verifyOtp({ email: next, token: fresh.code, type: 'email_change' }),
  );
  assert.equal(user.email, next);
  assert.equal(user.new_email, undefined);
  dataOf(await server.client().signInWithPassword({ email: next, password: person.password }));
});

test('the links of an email change work in either order', async () => {
  const person = await server.person();
  const next = server.address();
  const client = await server.signIn(person);
  dataOf(await client.updateUser({ email: next }));
  const [old, fresh] = [await server.mail.next(person.email), await server.mail.next(next)];
  const half = await confirmLink(fresh.link);
  assert.ok(fragment(half.location).get('message'));
  const whole = await confirmLink(old.link);
  assert.ok(fragment(whole.location).get('access_token'));
  assert.equal(dataOf(await client.getUser()).user.email, next);
});

test('confirming the same side twice does not change an email', async () => {
  const person = await server.person();
  const next = server.address();
  const client = await server.signIn(person);
  dataOf(await client.updateUser({ email: next }));
  const { link } = await server.mail.next(next);
  await confirmLink(link);
  await confirmLink(link);
  assert.equal(dataOf(await client.getUser()).user.email, person.email);
});

test('an email in use is rejected', async () => {
  const [ann, bob] = [await server.person(), await server.person()];
  const client = await server.signIn(ann);
  assertError(await client.updateUser({ email: bob.email }), 422, 'email_exists');
  assertError(await client.updateUser({ email: 'nobody' }), 400, 'validation_failed');
});

test('an emailed code reauthenticates once', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  dataOf(await client.reauthenticate());
  const { code, link } = await server.mail.next(person.email);
  assert.equal(link, undefined, 'there is nothing to click');
  assertError(
    await client.updateUser({
      password: 'Fresh-Walnut-Ferry-80',
      nonce: code === '123456' ? '654321' : '123456',
    }),
    422,
    'reauthentication_not_valid',
  );
  dataOf(await client.updateUser({ password: 'Fresh-Walnut-Ferry-80', nonce: code }));
  assertError(
    await client.updateUser({ password: 'Fresh-Walnut-Ferry-81', nonce: code }),
    422,
    'reauthentication_not_valid',
  );
});

test('the identities are listed, and the only one cannot be unlinked', async () => {
  const client = await server.signIn(await server.person());
  const { identities } = dataOf(await client.getUserIdentities());
  assert.equal(identities.length, 1);
  assertError(await client.unlinkIdentity(identities[0]), 422, 'single_identity_not_deletable');
  const token = client.session.access_token;
  await assertErrorResponse(
    await server.call('DELETE', '/user/identities/nonsense', { token }),
    404,
    'validation_failed',
  );
});
