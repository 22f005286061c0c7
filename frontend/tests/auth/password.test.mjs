import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSession, eventNames, granted, refused, refusedCall } from './support/expect.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());

test('the right password gives a session and SIGNED_IN', async () => {
  const person = await server.person();
  const client = server.client();
  const { session, user } = granted(await client.signInWithPassword(person));
  assertSession(session);
  assert.equal(user.id, person.id);
  assert.ok(user.last_sign_in_at);
  assert.deepEqual(eventNames(client), ['SIGNED_IN']);
});

test('no answer with a token may be kept by a cache', async () => {
  const { email, password } = await server.person();
  const answer = await server.call('POST', '/token?grant_type=password', { body: { email, password } });
  assert.match(answer.headers.get('cache-control'), /no-store/);
  const { refresh_token } = await answer.json();
  const renewed = await server.call('POST', '/token?grant_type=refresh_token', { body: { refresh_token } });
  assert.match(renewed.headers.get('cache-control'), /no-store/);
});

test('an unknown address and a wrong password get the same answer', async () => {
  const { email, password } = await server.person();
  const wrong = refused(
    await server.client().signInWithPassword({ email, password: 'not-it-at-all' }),
    400,
    'invalid_credentials',
  );
  const unknown = refused(
    await server.client().signInWithPassword({ email: server.address(), password }),
    400,
    'invalid_credentials',
  );
  assert.equal(wrong.message, 'Invalid login credentials');
  assert.equal(unknown.message, wrong.message);
});

test('an unconfirmed address is told so only with the right password', async () => {
  const email = server.address();
  const password = 'Walnut-Ferry-Kestrel-43';
  granted(await server.client().signUp({ email, password }));
  refused(await server.client().signInWithPassword({ email, password }), 400, 'email_not_confirmed');
  refused(
    await server.client().signInWithPassword({ email, password: 'not-it-at-all' }),
    400,
    'invalid_credentials',
  );
});

test('neither or both of address and phone are refused', async () => {
  const { error } = await server.client().signInWithPassword({ password: 'x' });
  assert.equal(error.message, 'You must provide either an email or phone number and a password');
  for (const body of [{ password: 'x' }, { email: 'a@example.com', phone: '15550142', password: 'x' }]) {
    await refusedCall(
      await server.call('POST', '/token?grant_type=password', { body }),
      400,
      'validation_failed',
    );
  }
});

test('phone sign-in is off', async () => {
  refused(
    await server.client().signInWithPassword({ phone: '15550142', password: 'x' }),
    422,
    'phone_provider_disabled',
  );
});

test('a grant nobody knows is refused', async () => {
  for (const grant of ['?grant_type=magic', '']) {
    const answer = await server.call('POST', `/token${grant}`, { body: {} });
    assert.equal(answer.status, 400);
  }
});

test('a banned person is refused, and let in again when the ban is lifted', async () => {
  const person = await server.person();
  const admin = await server.admin();
  granted(await admin.updateUserById(person.id, { ban_duration: '24h' }));
  refused(await server.client().signInWithPassword(person), 400, 'user_banned');
  refused(
    await server.client().signInWithPassword({ ...person, password: 'not-it-at-all' }),
    400,
    'invalid_credentials',
  );
  granted(await admin.updateUserById(person.id, { ban_duration: 'none' }));
  granted(await server.client().signInWithPassword(person));
});

test('a ban ends what is open at once', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  granted(await (await server.admin()).updateUserById(person.id, { ban_duration: '24h' }));
  const { error } = await client.getUser();
  assert.equal(error.status === 403 || error.name === 'AuthSessionMissingError', true, error.message);
});
