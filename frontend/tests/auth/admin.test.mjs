import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { assertError, assertErrorResponse, assertUser, dataOf } from './support/expect.mjs';
import { adminPassword, start } from './support/server.mjs';
import { totp } from './support/totp.mjs';

const server = await start();
after(() => server.stop());
const admin = await server.admin();

test('the admin interface is for admins with their own access token', async () => {
  await assertErrorResponse(await server.call('GET', '/admin/users'), 401, 'no_authorization');
  const client = await server.signIn(await server.person());
  const other = server.adminWith(client.session.access_token);
  assertError(await other.listUsers(), 403, 'not_admin');
  assertError(await other.getUserById(client.session.user.id), 403, 'not_admin');
  assertError(await other.createUser({ email: server.address() }), 403, 'not_admin');
  assertError(await other.updateUserById(client.session.user.id, { role: 'x' }), 403, 'not_admin');
  assertError(await other.deleteUser(client.session.user.id), 403, 'not_admin');
  assertError(await other.generateLink({ type: 'recovery', email: 'admin@guard.example' }), 403, 'not_admin');
});

test('metadata grants no admin role', async () => {
  const person = await server.person({ user_metadata: { role: 'admin' }, app_metadata: { role: 'admin' } });
  const client = await server.signIn(person);
  assertError(await server.adminWith(client.session.access_token).listUsers(), 403, 'not_admin');
});

test('users are created without an email and can be found', async () => {
  const email = server.address();
  const { user } = dataOf(
    await admin.createUser({
      email: email.toUpperCase(),
      password: 'Walnut-Ferry-Kestrel-46',
      user_metadata: { name: 'Ann' },
      app_metadata: { team: 'night' },
    }),
  );
  assertUser(user);
  assert.equal(user.email, email);
  assert.equal(user.email_confirmed_at, undefined);
  assert.equal(user.app_metadata.team, 'night');
  const found = dataOf(await admin.getUserById(user.id)).user;
  assert.deepEqual(found.user_metadata, { name: 'Ann' });
  assertError(await admin.createUser({ email }), 422, 'email_exists');
  assert.equal(server.mail.count(email), 0);
});

test('invalid users are rejected', async () => {
  assertError(await admin.createUser({}), 400, 'validation_failed');
  assertError(await admin.createUser({ email: 'nobody' }), 400, 'validation_failed');
  assertError(await admin.createUser({ email: server.address(), password: 'short' }), 422, 'weak_password');
});

test('the list is paged, newest first, and tells how many there are', async () => {
  const made = [await server.person(), await server.person(), await server.person()];
  const first = dataOf(await admin.listUsers({ page: 1, perPage: 2 }));
  assert.equal(first.users.length, 2);
  assert.equal(first.users[0].id, made[2].id);
  assert.equal(first.users[1].id, made[1].id);
  assert.ok(first.total >= 4);
  assert.equal(first.nextPage, 2);
  assert.equal(first.lastPage, Math.ceil(first.total / 2));
  const second = dataOf(await admin.listUsers({ page: 2, perPage: 2 }));
  assert.equal(second.users[0].id, made[0].id);
  const all = dataOf(await admin.listUsers());
  assert.equal(all.users.length, Math.min(all.total, 50));
});

test('pages that are not numbers are rejected', async () => {
  const { access_token: token } = (
    await server.signIn({ email: 'admin@guard.example', password: adminPassword })
  ).session;
  for (const query of ['?page=x', '?page=0', '?page=-1', '?per_page=x']) {
    await assertErrorResponse(
      await server.call('GET', `/admin/users${query}`, { token }),
      400,
      'validation_failed',
    );
  }
  const empty = await server.call('GET', '/admin/users?page=&per_page=', { token });
  assert.equal(empty.status, 200);
});

test('an update changes what it names and nothing else', async () => {
  const person = await server.person({ user_metadata: { name: 'Ann' } });
  const { user } = dataOf(await admin.updateUserById(person.id, { app_metadata: { team: 'day' } }));
  assert.deepEqual(user.user_metadata, { name: 'Ann' });
  assert.equal(user.app_metadata.team, 'day');
  assert.equal(user.app_metadata.provider, 'email');
  const moved = dataOf(
    await admin.updateUserById(person.id, { email: server.address(), email_confirm: true }),
  ).user;
  assert.notEqual(moved.email, person.email);
  dataOf(await server.client().signInWithPassword({ email: moved.email, password: person.password }));
});

test('a password set by an admin ends the sessions', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  const password = 'Fresh-Walnut-Ferry-83';
  dataOf(await admin.updateUserById(person.id, { password }));
  assert.ok((await client.getUser()).error);
  dataOf(await server.client().signInWithPassword({ ...person, password }));
});

test('a deleted user is gone with all sessions', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  dataOf(await admin.deleteUser(person.id));
  const gone = await server.call('GET', '/user', { token: client.session.access_token });
  assert.equal(gone.status, 403);
  assertError(await admin.getUserById(person.id), 404, 'user_not_found');
  assertError(await server.client().signInWithPassword(person), 400, 'invalid_credentials');
});

test('malformed and unknown ids are 404', async () => {
  assertError(await admin.getUserById(randomUUID()), 404, 'user_not_found');
  assertError(await admin.updateUserById(randomUUID(), { user_metadata: {} }), 404, 'user_not_found');
  const { access_token: token } = (
    await server.signIn({ email: 'admin@guard.example', password: adminPassword })
  ).session;
  await assertErrorResponse(
    await server.call('GET', '/admin/users/nonsense', { token }),
    404,
    'validation_failed',
  );
});

test('an admin cannot ban or delete themselves', async () => {
  const me = server.adminUser.id;
  const banned = await admin.updateUserById(me, { ban_duration: '24h' });
  assert.ok(banned.error);
  const deleted = await admin.deleteUser(me);
  assert.ok(deleted.error);
  dataOf(await admin.getUserById(me));
});

test('an admin sees and removes the factors of others', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  const factor = dataOf(await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }));
  dataOf(await client.mfa.challengeAndVerify({ factorId: factor.id, code: totp(factor.totp.secret) }));
  const { factors } = dataOf(await admin.mfa.listFactors({ userId: person.id }));
  assert.equal(factors[0].id, factor.id);
  assert.ok(!JSON.stringify(factors).includes(factor.totp.secret));
  dataOf(await admin.mfa.deleteFactor({ userId: person.id, id: factor.id }));
  assert.equal(dataOf(await admin.mfa.listFactors({ userId: person.id })).factors.length, 0);
});

test('an admin with a second factor needs it for every call', async () => {
  const guarded = await start();
  try {
    const login = { email: 'admin@guard.example', password: adminPassword };
    const client = await guarded.signIn(login);
    const factor = dataOf(await client.mfa.enroll({ factorType: 'totp' }));
    const lifted = dataOf(
      await client.mfa.challengeAndVerify({ factorId: factor.id, code: totp(factor.totp.secret) }),
    );
    dataOf(await guarded.adminWith(lifted.access_token).listUsers());
    const later = await guarded.signIn(login);
    const { error } = await guarded.adminWith(later.session.access_token).listUsers();
    assert.ok([401, 403].includes(error.status), String(error.status));
    assert.ok(['insufficient_aal', 'not_admin'].includes(error.code), error.code);
  } finally {
    await guarded.stop();
  }
});
