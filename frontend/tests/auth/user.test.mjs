import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertUser, eventNames, granted, refused, refusedCall } from './support/expect.mjs';
import { fragment, press } from './support/mail.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());

test('the user can be asked for with the session or with a token', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  assertUser(granted(await client.getUser()).user);
  const { user } = granted(await server.client().getUser(client.session.access_token));
  assert.equal(user.id, person.id);
});

test('metadata is merged key by key, and null takes a key away', async () => {
  const client = await server.signIn(await server.person());
  granted(await client.updateUser({ data: { name: 'Ann', shift: 'night' } }));
  const { user } = granted(await client.updateUser({ data: { shift: null, site: 'Dock 4' } }));
  assert.deepEqual(user.user_metadata, { name: 'Ann', site: 'Dock 4' });
  assert.deepEqual(eventNames(client), ['SIGNED_IN', 'USER_UPDATED', 'USER_UPDATED']);
});

test('nobody makes themselves more than they are', async () => {
  const client = await server.signIn(await server.person());
  const token = client.session.access_token;
  await refusedCall(
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
  granted(await client.updateUser({ password }));
  granted(await client.getUser());
  const { error } = await other.getUser();
  assert.equal(error.name, 'AuthSessionMissingError');
  granted(await server.client().signInWithPassword({ ...person, password }));
});

test('a new password voids the mails that are under way', async () => {
  const person = await server.person();
  granted(await server.client().resetPasswordForEmail(person.email));
  const { code } = await server.mail.next(person.email);
  const client = await server.signIn(person);
  granted(await client.updateUser({ password: 'Fresh-Walnut-Ferry-79' }));
  refused(
    await server.client().verifyOtp({ email: person.email, token: code, type: 'recovery' }),
    403,
    'otp_expired',
  );
});

test('the same or a weak password is refused', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  refused(await client.updateUser({ password: person.password }), 422, 'same_password');
  refused(await client.updateUser({ password: 'short' }), 422, 'weak_password');
});

test('an address changes when both the old and the new one agree', async () => {
  const person = await server.person();
  const next = server.address();
  const client = await server.signIn(person);
  const asked = granted(await client.updateUser({ email: next })).user;
  assert.equal(asked.email, person.email);
  assert.equal(asked.new_email, next);
  const [old, fresh] = [await server.mail.next(person.email), await server.mail.next(next)];
  const first = await server
    .client()
    .verifyOtp({ email: person.email, token: old.code, type: 'email_change' });
  assert.equal(first.error, null, first.error?.message);
  assert.equal(first.data.session, null);
  assert.equal(granted(await client.getUser()).user.email, person.email);
  const { user } = granted(
    await server.client().verifyOtp({ email: next, token: fresh.code, type: 'email_change' }),
  );
  assert.equal(user.email, next);
  assert.equal(user.new_email, undefined);
  granted(await server.client().signInWithPassword({ email: next, password: person.password }));
});

test('the links of an address change work in either order', async () => {
  const person = await server.person();
  const next = server.address();
  const client = await server.signIn(person);
  granted(await client.updateUser({ email: next }));
  const [old, fresh] = [await server.mail.next(person.email), await server.mail.next(next)];
  const half = await press(fresh.link);
  assert.ok(fragment(half.location).get('message'));
  const whole = await press(old.link);
  assert.ok(fragment(whole.location).get('access_token'));
  assert.equal(granted(await client.getUser()).user.email, next);
});

test('the same half twice does not change an address', async () => {
  const person = await server.person();
  const next = server.address();
  const client = await server.signIn(person);
  granted(await client.updateUser({ email: next }));
  const { link } = await server.mail.next(next);
  await press(link);
  await press(link);
  assert.equal(granted(await client.getUser()).user.email, person.email);
});

test('an address that somebody has cannot be taken', async () => {
  const [ann, bob] = [await server.person(), await server.person()];
  const client = await server.signIn(ann);
  refused(await client.updateUser({ email: bob.email }), 422, 'email_exists');
  refused(await client.updateUser({ email: 'nobody' }), 400, 'validation_failed');
});

test('a code by mail reauthenticates, once', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  granted(await client.reauthenticate());
  const { code, link } = await server.mail.next(person.email);
  assert.equal(link, undefined, 'there is nothing to click');
  refused(
    await client.updateUser({
      password: 'Fresh-Walnut-Ferry-80',
      nonce: code === '123456' ? '654321' : '123456',
    }),
    422,
    'reauthentication_not_valid',
  );
  granted(await client.updateUser({ password: 'Fresh-Walnut-Ferry-80', nonce: code }));
  refused(
    await client.updateUser({ password: 'Fresh-Walnut-Ferry-81', nonce: code }),
    422,
    'reauthentication_not_valid',
  );
});

test('the identities are listed, and the only one stays', async () => {
  const client = await server.signIn(await server.person());
  const { identities } = granted(await client.getUserIdentities());
  assert.equal(identities.length, 1);
  refused(await client.unlinkIdentity(identities[0]), 422, 'single_identity_not_deletable');
  const token = client.session.access_token;
  await refusedCall(
    await server.call('DELETE', '/user/identities/nonsense', { token }),
    404,
    'validation_failed',
  );
});
