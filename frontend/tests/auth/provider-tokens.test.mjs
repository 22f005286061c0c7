// Sign-in by the id_token of an OpenID Connect provider, and identities linked to accounts.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { assertError, assertErrorResponse, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { sha256 } from './support/issuer.mjs';
import { provider, startWithProviders } from './support/providers.mjs';
import { start } from './support/server.mjs';

const { issuer, company, server, changePeople, stop } = await startWithProviders();
after(stop);
beforeEach(changePeople);

const withToken = (token, more = {}) =>
  server.client().signInWithIdToken({ provider: 'acme', token, ...more });

test('a valid id_token signs in to the same account each time', async () => {
  issuer.person.name = 'Ann';
  const client = server.client();
  const first = dataOf(await client.signInWithIdToken({ provider: 'acme', token: issuer.token() }));
  assertSession(first.session);
  assert.deepEqual(eventNames(client), ['SIGNED_IN']);
  assert.equal(first.user.email, issuer.person.email);
  assert.ok(first.user.email_confirmed_at);
  assert.equal(first.user.app_metadata.provider, 'acme');
  assert.equal(first.user.user_metadata.name, 'Ann');
  assert.equal(first.user.identities[0].id, issuer.person.sub);
  const again = dataOf(await withToken(issuer.token()));
  assert.equal(again.user.id, first.user.id);
});

test('a user is identified by the subject, not by the email', async () => {
  const first = dataOf(await withToken(issuer.token())).user;
  issuer.person.email = server.address();
  assert.equal(dataOf(await withToken(issuer.token())).user.id, first.id);
});

test('the nonce must match and be on both sides or on neither', async () => {
  const nonce = 'a raw nonce';
  dataOf(await withToken(issuer.token({ nonce: sha256(nonce) }), { nonce }));
  assertError(await withToken(issuer.token({ nonce: sha256('other') }), { nonce }), 400, 'validation_failed');
  assertError(await withToken(issuer.token({ nonce }), { nonce }), 400, 'validation_failed');
  assertError(await withToken(issuer.token({ nonce: sha256(nonce) })), 400, 'validation_failed');
  assertError(await withToken(issuer.token(), { nonce }), 400, 'validation_failed');
});

test('a token with a wrong claim or signature is rejected', async () => {
  const now = Math.floor(Date.now() / 1000);
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const [, body] = issuer.token().split('.');
  for (const [why, token] of Object.entries({
    audience: issuer.token({ aud: 'somebody-else' }),
    'no audience': issuer.token({ aud: undefined }),
    issuer: issuer.token({ iss: company.url }),
    expired: issuer.token({ iat: now - 900, exp: now - 600 }),
    future: issuer.token({ iat: now + 600, exp: now + 900 }),
    'no expiry': issuer.token({ exp: undefined }),
    'no subject': issuer.token({ sub: undefined }),
    'another key': issuer.token({}, {}, stranger.privateKey),
    'an unknown key': issuer.token({}, { kid: 'unknown' }),
    'another algorithm': issuer.token({}, { alg: 'RS512' }),
    'a shared secret': issuer.token({}, { alg: 'HS256' }),
    'no signature': `${none}.${body}.`,
    nonsense: 'nonsense',
  })) {
    const { error } = await withToken(token);
    assert.deepEqual([error?.status, error?.code], [400, 'validation_failed'], why);
  }
});

test('unknown providers and missing tokens are rejected', async () => {
  assertError(
    await server.client().signInWithIdToken({ provider: 'nobody', token: issuer.token() }),
    400,
    'validation_failed',
  );
  for (const body of [{ provider: 'acme' }, { id_token: issuer.token() }, {}]) {
    const answer = await server.call('POST', '/token?grant_type=id_token', { body });
    await assertErrorResponse(answer, 400, 'validation_failed');
  }
});

test('a verified address leads to the account that confirmed it', async () => {
  const person = await server.person();
  issuer.person.email = person.email;
  const { user } = dataOf(await withToken(issuer.token()));
  assert.equal(user.id, person.id);
  assert.deepEqual([...user.app_metadata.providers].sort(), ['acme', 'email']);
  assert.equal(user.identities.length, 2);
});

test('an unverified email is not linked to an existing account', async () => {
  const person = await server.person();
  issuer.person.email = person.email;
  for (const email_verified of [false, 'false', undefined]) {
    issuer.person.email_verified = email_verified;
    const { data, error } = await withToken(issuer.token());
    assert.ok(error || data.user.id !== person.id);
    if (!error) assert.notEqual(data.user.email, person.email);
  }
});

test('an account whose address was never confirmed is not taken over', async () => {
  const email = server.address();
  const password = 'Squatter-Walnut-Ferry-1';
  const squatter = dataOf(await server.client().signUp({ email, password })).user;
  issuer.person.email = email;
  const { data, error } = await withToken(issuer.token());
  assert.ok(error || data.user.id !== squatter.id);
});

test('an identity is linked to the signed-in user and unlinked again', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  const linked = dataOf(await client.linkIdentity({ provider: 'acme', token: issuer.token() }));
  assert.equal(linked.user.id, person.id);
  assert.ok(eventNames(client).includes('USER_UPDATED'));
  assert.equal(dataOf(await withToken(issuer.token())).user.id, person.id);
  const { identities } = dataOf(await client.getUserIdentities());
  assert.equal(identities.length, 2);
  dataOf(await client.unlinkIdentity(identities.find(({ provider: name }) => name === 'acme')));
  assert.equal(dataOf(await client.getUserIdentities()).identities.length, 1);
  assertError(
    await client.unlinkIdentity({ identity_id: '00000000-0000-4000-8000-000000000000' }),
    422,
    'single_identity_not_deletable',
  );
});

test('an identity of one user is not linked to another', async () => {
  dataOf(await withToken(issuer.token()));
  const client = await server.signIn(await server.person());
  assertError(
    await client.linkIdentity({ provider: 'acme', token: issuer.token() }),
    422,
    'identity_already_exists',
  );
  const body = { provider: 'acme', id_token: issuer.token(), link_identity: true };
  await assertErrorResponse(
    await server.call('POST', '/token?grant_type=id_token', { body }),
    401,
    'no_authorization',
  );
});

test('unknown key ids do not cause repeated requests to the provider', async () => {
  const before = issuer.requests.filter((path) => path === '/jwks').length;
  for (let tries = 0; tries < 5; tries += 1) {
    await withToken(issuer.token({}, { kid: `made-up-${tries}` }));
  }
  const after = issuer.requests.filter((path) => path === '/jwks').length;
  assert.ok(after - before <= 1, `asked ${after - before} times`);
});

test('with sign-up disabled a new user with a valid token is rejected', async () => {
  const closed = await start({ auth: { signup: false, providers: [provider('acme', issuer)] } });
  try {
    const outcome = await closed.client().signInWithIdToken({ provider: 'acme', token: issuer.token() });
    assertError(outcome, 422, 'signup_disabled');
  } finally {
    await closed.stop();
  }
});
