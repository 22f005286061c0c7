import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSession, assertUser, eventNames, granted, refused, refusedCall } from './support/expect.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());
const password = 'Walnut-Ferry-Kestrel-40';

test('signing up gives a bare user, no session, and a mail with a code', async () => {
  const email = server.address();
  const client = server.client();
  const { user, session } = granted(await client.signUp({ email, password }));
  assert.equal(session, null);
  assertUser(user);
  assert.equal(user.email, email);
  assert.ok(user.confirmation_sent_at);
  assert.equal(user.email_confirmed_at, undefined);
  assert.deepEqual(eventNames(client), []);
  const letter = await server.mail.next(email);
  assert.match(letter.code, /^[0-9]{6}$/);
  assert.ok(letter.link.startsWith(`${server.url}/verify?token=`));
  assert.ok(letter.link.includes('type=signup'));
});

test('the code from the mail confirms the address and signs in', async () => {
  const email = server.address();
  const client = server.client();
  granted(await client.signUp({ email, password }));
  const { code } = await server.mail.next(email);
  const { session } = granted(await client.verifyOtp({ email, token: code, type: 'signup' }));
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

test('the type "email" takes a sign-up code as well', async () => {
  const email = server.address();
  const client = server.client();
  granted(await client.signUp({ email, password }));
  const { code } = await server.mail.next(email);
  assertSession(granted(await client.verifyOtp({ email, token: code, type: 'email' })).session);
});

test('a known confirmed address gets a look-alike answer, no mail, and nothing changes', async () => {
  const person = await server.person();
  const before = server.mail.count(person.email);
  const { user, session } = granted(
    await server.client().signUp({ email: person.email, password: 'Another-Ferry-Kestrel-41' }),
  );
  assert.equal(session, null);
  assert.notEqual(user.id, person.id);
  assert.equal(user.email, person.email);
  assert.deepEqual(user.identities, []);
  assert.equal(user.role, '');
  await server.signIn(person);
  // A later mail to somebody else shows that the postman has been here since.
  const other = server.address();
  granted(await server.client().signUp({ email: other, password }));
  await server.mail.next(other);
  assert.equal(server.mail.count(person.email), before);
});

test('the look-alike has the same fields as a real new user', async () => {
  const person = await server.person();
  const real = granted(await server.client().signUp({ email: server.address(), password })).user;
  const made = granted(await server.client().signUp({ email: person.email, password })).user;
  assert.deepEqual(Object.keys(made).sort(), Object.keys(real).sort());
});

test('a known unconfirmed address gets a mail for each sign-up, and the one answered decides', async () => {
  const email = server.address();
  const client = server.client();
  const first = granted(await client.signUp({ email, password, options: { data: { name: 'First' } } })).user;
  await server.mail.next(email);
  const later = 'Another-Ferry-Kestrel-42';
  const again = granted(
    await client.signUp({ email, password: later, options: { data: { name: 'Second' } } }),
  ).user;
  assert.equal(again.id, first.id);
  const { code } = await server.mail.next(email);
  const { user } = granted(await client.verifyOtp({ email, token: code, type: 'signup' }));
  assert.deepEqual(user.user_metadata, { name: 'Second' });
  refused(await client.signInWithPassword({ email, password }), 400, 'invalid_credentials');
  granted(await client.signInWithPassword({ email, password: later }));
});

test('an address is the same in capitals', async () => {
  const person = await server.person();
  const { user } = granted(await server.client().signUp({ email: person.email.toUpperCase(), password }));
  assert.deepEqual(user.identities, []);
  granted(
    await server.client().signInWithPassword({ ...person, email: ` ${person.email.toUpperCase()}`.trim() }),
  );
});

test('metadata is the visitor’s own, app metadata and role are not', async () => {
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

test('a weak password is refused with its reasons', async () => {
  const client = server.client();
  const short = refused(
    await client.signUp({ email: server.address(), password: 'kX9!' }),
    422,
    'weak_password',
  );
  assert.equal(short.name, 'AuthWeakPasswordError');
  assert.ok(short.reasons.includes('length'));
  const common = refused(
    await client.signUp({ email: server.address(), password: 'password1234' }),
    422,
    'weak_password',
  );
  assert.ok(common.reasons.includes('pwned'), String(common.reasons));
});

test('what is no address is refused', async () => {
  for (const email of ['nobody', 'a@', '@example.com', 'a b@example.com', `${'x'.repeat(250)}@example.com`]) {
    refused(await server.client().signUp({ email, password }), 400, 'validation_failed');
  }
});

test('anonymous, phone and doubled sign-ups are refused by name', async () => {
  refused(await server.client().signInAnonymously(), 422, 'anonymous_provider_disabled');
  refused(await server.client().signUp({ phone: '15550142', password }), 400, 'phone_provider_disabled');
  const both = { email: server.address(), phone: '15550142', password };
  await refusedCall(await server.call('POST', '/signup', { body: both }), 400, 'validation_failed');
  const { error } = await server.client().signUp({ password });
  assert.equal(error.message, 'You must provide either an email or phone number and a password');
});

test('where sign-up is off strangers are refused', async () => {
  const closed = await start({ auth: { signup: false } });
  try {
    refused(await closed.client().signUp({ email: 'x@example.com', password }), 422, 'signup_disabled');
    // Known and unknown addresses are answered alike here.
    granted(await closed.client().signInWithOtp({ email: 'x@example.com' }));
  } finally {
    await closed.stop();
  }
});
