import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  assertError,
  assertErrorResponse,
  assertSession,
  assertUser,
  dataOf,
  eventNames,
} from './support/expect.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());
const password = 'Walnut-Ferry-Kestrel-40';

test('signing up returns a user without a session and sends an email with a code', async () => {
  const email = server.address();
  const client = server.client();
  const { user, session } = dataOf(await client.signUp({ email, password }));
  assert.equal(session, null);
  assertUser(user);
  assert.equal(user.email, email);
  assert.ok(user.confirmation_sent_at);
  assert.equal(user.email_confirmed_at, undefined);
  assert.deepEqual(eventNames(client), []);
  const message = await server.mail.next(email);
  assert.match(message.code, /^[0-9]{6}$/);
  assert.ok(message.link.startsWith(`${server.url}/verify?token=`));
  assert.ok(message.link.includes('type=signup'));
});

test('the emailed code confirms the address and signs in', async () => {
  const email = server.address();
  const client = server.client();
  dataOf(await client.signUp({ email, password }));
  const { code } = await server.mail.next(email);
  const { session } = dataOf(await client.verifyOtp({ email, token: code, type: 'signup' }));
  assertSession(session);
  assert.ok(session.user.email_confirmed_at);
  assert.ok(session.user.confirmed_at);
  assert.deepEqual(session.user.app_metadata, { provider: 'email', providers: ['email'] });
  assert.deepEqual(eventNames(client), ['SIGNED_IN']);
  const [identity] = session.user.identities;
  assert.equal(identity.provider, 'email');
  assert.equal(identity.id, session.user.id);
  assert.equal(identity.identity_data.email, email);
});

test('the type "email" accepts a sign-up code too', async () => {
  const email = server.address();
  const client = server.client();
  dataOf(await client.signUp({ email, password }));
  const { code } = await server.mail.next(email);
  assertSession(dataOf(await client.verifyOtp({ email, token: code, type: 'email' })).session);
});

test('a known confirmed address gets the same response, no email, and nothing changes', async () => {
  const person = await server.person();
  const before = server.mail.count(person.email);
  const { user, session } = dataOf(
    await server.client().signUp({ email: person.email, password: 'Another-Ferry-Kestrel-41' }),
  );
  assert.equal(session, null);
  assert.notEqual(user.id, person.id);
  assert.equal(user.email, person.email);
  assert.deepEqual(user.identities, []);
  assert.equal(user.role, '');
  await server.signIn(person);
  // An email to another user, sent later, shows that the delivery worker has run since.
  const other = server.address();
  dataOf(await server.client().signUp({ email: other, password }));
  await server.mail.next(other);
  assert.equal(server.mail.count(person.email), before);
});

test('the decoy has the same fields as a real new user', async () => {
  const person = await server.person();
  const real = dataOf(await server.client().signUp({ email: server.address(), password })).user;
  const made = dataOf(await server.client().signUp({ email: person.email, password })).user;
  assert.deepEqual(Object.keys(made).sort(), Object.keys(real).sort());
});

test('a known unconfirmed address gets an email per sign-up, and the confirmed one decides', async () => {
  const email = server.address();
  const client = server.client();
  const first = dataOf(await client.signUp({ email, password, options: { data: { name: 'First' } } })).user;
  await server.mail.next(email);
  const later = 'Another-Ferry-Kestrel-42';
  const again = dataOf(
    await client.signUp({ email, password: later, options: { data: { name: 'Second' } } }),
  ).user;
  assert.equal(again.id, first.id);
  const { code } = await server.mail.next(email);
  const { user } = dataOf(await client.verifyOtp({ email, token: code, type: 'signup' }));
  assert.deepEqual(user.user_metadata, { name: 'Second' });
  assertError(await client.signInWithPassword({ email, password }), 400, 'invalid_credentials');
  dataOf(await client.signInWithPassword({ email, password: later }));
});

test('an email is case-insensitive', async () => {
  const person = await server.person();
  const { user } = dataOf(await server.client().signUp({ email: person.email.toUpperCase(), password }));
  assert.deepEqual(user.identities, []);
  dataOf(
    await server.client().signInWithPassword({ ...person, email: ` ${person.email.toUpperCase()}`.trim() }),
  );
});

test('users can set their metadata, but not app metadata or role', async () => {
  const email = server.address();
  const answer = await server.call('POST', '/signup', {
    body: { email, password, data: { name: 'Ann' }, app_metadata: { provider: 'x' }, role: 'admin', id: 'x' },
  });
  assert.equal(answer.status, 200);
  const user = await answer.json();
  assertUser(user);
  assert.deepEqual(user.user_metadata, { name: 'Ann' });
  assert.equal(user.app_metadata.provider, 'email');
});

test('a weak password is rejected with its reasons', async () => {
  const client = server.client();
  const short = assertError(
    await client.signUp({ email: server.address(), password: 'kX9!' }),
    422,
    'weak_password',
  );
  assert.equal(short.name, 'AuthWeakPasswordError');
  assert.ok(short.reasons.includes('length'));
  const common = assertError(
    await client.signUp({ email: server.address(), password: 'password1234' }),
    422,
    'weak_password',
  );
  assert.ok(common.reasons.includes('pwned'), String(common.reasons));
});

test('invalid email addresses are rejected', async () => {
  for (const email of ['nobody', 'a@', '@example.com', 'a b@example.com', `${'x'.repeat(250)}@example.com`]) {
    assertError(await server.client().signUp({ email, password }), 400, 'validation_failed');
  }
});

test('anonymous, phone and ambiguous sign-ups are rejected with their own codes', async () => {
  assertError(await server.client().signInAnonymously(), 422, 'anonymous_provider_disabled');
  assertError(await server.client().signUp({ phone: '15550142', password }), 400, 'phone_provider_disabled');
  const both = { email: server.address(), phone: '15550142', password };
  await assertErrorResponse(await server.call('POST', '/signup', { body: both }), 400, 'validation_failed');
  const { error } = await server.client().signUp({ password });
  assert.equal(error.message, 'You must provide either an email or phone number and a password');
});

test('with sign-up disabled new users are rejected', async () => {
  const closed = await start({ auth: { signup: false } });
  try {
    assertError(await closed.client().signUp({ email: 'x@example.com', password }), 422, 'signup_disabled');
    // Known and unknown addresses are answered alike here.
    dataOf(await closed.client().signInWithOtp({ email: 'x@example.com' }));
  } finally {
    await closed.stop();
  }
});
