import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertError, assertErrorResponse, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());

test('a correct password returns a session and emits SIGNED_IN', async () => {
  const person = await server.person();
  const client = server.client();
  const { session, user } = dataOf(await client.signInWithPassword(person));
  assertSession(session);
  assert.equal(user.id, person.id);
  assert.ok(user.last_sign_in_at);
  assert.deepEqual(eventNames(client), ['SIGNED_IN']);
});

test('responses with a token are not cacheable', async () => {
  const { email, password } = await server.person();
  const answer = await server.call('POST', '/token?grant_type=password', { body: { email, password } });
  assert.match(answer.headers.get('cache-control'), /no-store/);
  const { refresh_token } = await answer.json();
  const renewed = await server.call('POST', '/token?grant_type=refresh_token', { body: { refresh_token } });
  assert.match(renewed.headers.get('cache-control'), /no-store/);
});

test('an unknown address and a wrong password get the same response', async () => {
  const { email, password } = await server.person();
  const wrong = assertError(
    await server.client().signInWithPassword({ email, password: 'not-it-at-all' }),
    400,
    'invalid_credentials',
  );
  const unknown = assertError(
    await server.client().signInWithPassword({ email: server.address(), password }),
    400,
    'invalid_credentials',
  );
  assert.equal(wrong.message, 'Invalid login credentials');
  assert.equal(unknown.message, wrong.message);
});

test('an unconfirmed address is reported only with the correct password', async () => {
  const email = server.address();
  const password = 'Walnut-Ferry-Kestrel-43';
  dataOf(await server.client().signUp({ email, password }));
  assertError(await server.client().signInWithPassword({ email, password }), 400, 'email_not_confirmed');
  assertError(
    await server.client().signInWithPassword({ email, password: 'not-it-at-all' }),
    400,
    'invalid_credentials',
  );
});

test('neither or both of email and phone are rejected', async () => {
  const { error } = await server.client().signInWithPassword({ password: 'x' });
  assert.equal(error.message, 'You must provide either an email or phone number and a password');
  for (const body of [{ password: 'x' }, { email: 'a@example.com', phone: '15550142', password: 'x' }]) {
    await assertErrorResponse(
      await server.call('POST', '/token?grant_type=password', { body }),
      400,
      'validation_failed',
    );
  }
});

test('phone sign-in is disabled', async () => {
  assertError(
    await server.client().signInWithPassword({ phone: '15550142', password: 'x' }),
    422,
    'phone_provider_disabled',
  );
});

test('an unknown grant type is rejected', async () => {
  for (const grant of ['?grant_type=magic', '']) {
    const answer = await server.call('POST', `/token${grant}`, { body: {} });
    assert.equal(answer.status, 400);
  }
});

test('a banned user is rejected until the ban is lifted', async () => {
  const person = await server.person();
  const admin = await server.admin();
  dataOf(await admin.updateUserById(person.id, { ban_duration: '24h' }));
  assertError(await server.client().signInWithPassword(person), 400, 'user_banned');
  assertError(
    await server.client().signInWithPassword({ ...person, password: 'not-it-at-all' }),
    400,
    'invalid_credentials',
  );
  dataOf(await admin.updateUserById(person.id, { ban_duration: 'none' }));
  dataOf(await server.client().signInWithPassword(person));
});

test('a ban ends open sessions at once', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  dataOf(await (await server.admin()).updateUserById(person.id, { ban_duration: '24h' }));
  const { error } = await client.getUser();
  assert.equal(error.status === 403 || error.name === 'AuthSessionMissingError', true, error.message);
});
