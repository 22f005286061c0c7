// Sign-in through an OpenID Connect provider: id_token, OAuth and a company's own provider by mail
// domain.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { assertError, assertErrorResponse, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { sha256, startIssuer } from './support/issuer.mjs';
import { fragment } from './support/mail.mjs';
import { browser, followRedirects } from './support/redirects.mjs';
import { start } from './support/server.mjs';

const issuer = await startIssuer();
const company = await startIssuer('guardpost-sso');
const provider = (id, { url, clientId }) => ({ id, issuer: url, client_ids: [clientId] });
const server = await start({
  auth: {
    providers: [provider('acme', issuer), provider('bigcorp', company)],
    sso: [{ domain: 'bigcorp.example', provider: 'bigcorp' }],
  },
});
after(async () => {
  await server.stop();
  await issuer.close();
  await company.close();
});

let subjects = 0;
beforeEach(() => {
  subjects += 1;
  issuer.person = { sub: `subject-${subjects}`, email: server.address(), email_verified: true };
  company.person = {
    sub: `employee-${subjects}`,
    email: `e${subjects}@bigcorp.example`,
    email_verified: true,
  };
  issuer.tokenChanges = undefined;
  issuer.refuses = undefined;
});

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

test('OAuth by PKCE ends with a code for the same browser, and the provider’s tokens', async () => {
  const client = server.client({ flowType: 'pkce' });
  const redirectTo = `${server.site}/admin`;
  const { url } = dataOf(await client.signInWithOAuth({ provider: 'acme', options: { redirectTo } }));
  const back = await followRedirects(server.site, url);
  assert.equal(back.pathname, '/admin');
  assert.equal(back.hash, '');
  const { session } = dataOf(await client.exchangeCodeForSession(back.searchParams.get('code')));
  assertSession(session);
  assert.equal(session.provider_token, 'provider-access');
  assert.equal(session.provider_refresh_token, 'provider-refresh');
  assert.equal(session.user.email, issuer.person.email);
});

test('OAuth without PKCE ends with a session in the fragment', async () => {
  const { url } = dataOf(await server.client().signInWithOAuth({ provider: 'acme' }));
  const found = fragment(await followRedirects(server.site, url));
  assert.equal(found.get('token_type'), 'bearer');
  assert.equal(found.get('provider_token'), 'provider-access');
  const { user } = dataOf(await server.client().getUser(found.get('access_token')));
  assert.equal(user.email, issuer.person.email);
});

test('the authorization request has state, nonce, challenge and our callback', async () => {
  const { url } = dataOf(await server.client().signInWithOAuth({ provider: 'acme' }));
  const { searchParams: asked } = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location'));
  assert.equal(asked.get('response_type'), 'code');
  assert.equal(asked.get('client_id'), 'guardpost');
  assert.equal(asked.get('redirect_uri'), `${server.url}/callback`);
  assert.equal(asked.get('code_challenge_method'), 'S256');
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(asked.get(name).length >= 22, name);
  assert.ok(asked.get('scope').split(' ').includes('openid'));
});

test('a state works once', async () => {
  const { url } = dataOf(await server.client().signInWithOAuth({ provider: 'acme' }));
  const { fetch: visit } = browser();
  const away = (await visit(url, { redirect: 'manual' })).headers.get('location');
  const callback = (await visit(away, { redirect: 'manual' })).headers.get('location');
  const first = await followRedirects(server.site, callback, { fetch: visit });
  assert.ok(fragment(first).get('access_token'));
  const fresh = (await visit(away, { redirect: 'manual' })).headers.get('location');
  for (const again of [callback, fresh]) {
    const answer = await visit(again, { redirect: 'manual' });
    assert.ok(!(answer.headers.get('location') ?? '').includes('access_token'));
    assert.ok(answer.status >= 300);
  }
});

test('an unknown state is rejected', async () => {
  for (const query of ['?code=x&state=unknown', '?code=x', '']) {
    const answer = await fetch(`${server.url}/callback${query}`, { redirect: 'manual' });
    assert.ok(!(answer.headers.get('location') ?? '').includes('access_token'));
    assert.ok([303, 400].includes(answer.status), String(answer.status));
  }
});

test('an error or an invalid token of the provider signs nobody in', async () => {
  issuer.refuses = 'access_denied';
  const { url } = dataOf(await server.client().signInWithOAuth({ provider: 'acme' }));
  const denied = fragment(await followRedirects(server.site, url));
  assert.equal(denied.get('error'), 'access_denied');
  assert.equal(denied.get('access_token'), null);
  issuer.refuses = undefined;
  for (const changes of [{ nonce: 'other' }, { aud: 'somebody-else' }, { nonce: undefined }]) {
    issuer.tokenChanges = changes;
    const next = dataOf(await server.client().signInWithOAuth({ provider: 'acme' })).url;
    const found = fragment(await followRedirects(server.site, next));
    assert.ok(found.get('error'), JSON.stringify(changes));
    assert.equal(found.get('access_token'), null);
  }
});

test('OAuth redirects only to allowed URLs and only by known providers', async () => {
  const options = { redirectTo: 'https://evil.example/' };
  const { url } = dataOf(await server.client().signInWithOAuth({ provider: 'acme', options }));
  assert.equal((await followRedirects(server.site, url)).origin, server.site);
  await assertErrorResponse(await server.call('GET', '/authorize?provider=nobody'), 400, 'validation_failed');
  await assertErrorResponse(await server.call('GET', '/authorize'), 400, 'validation_failed');
});

test('a flow started in one browser cannot be finished in another', async () => {
  const { url } = dataOf(await server.client().signInWithOAuth({ provider: 'acme' }));
  const one = browser();
  const away = (await one.fetch(url, { redirect: 'manual' })).headers.get('location');
  const callback = (await one.fetch(away, { redirect: 'manual' })).headers.get('location');
  const found = fragment(await followRedirects(server.site, callback, browser()));
  assert.equal(found.get('error_code'), 'bad_oauth_state');
  assert.equal(found.get('access_token'), null);
});

test('users of a company are redirected to its provider', async () => {
  const through = browser();
  const client = server.client({ flowType: 'pkce', fetch: through.fetch });
  const { url } = dataOf(
    await client.signInWithSSO({
      domain: 'BigCorp.example',
      options: { redirectTo: `${server.site}/admin` },
    }),
  );
  assert.equal(new URL(url).origin, company.url);
  const back = await followRedirects(server.site, url, through);
  const { session } = dataOf(await client.exchangeCodeForSession(back.searchParams.get('code')));
  assertSession(session);
  assert.equal(session.user.email, company.person.email);
  const byId = dataOf(await server.client().signInWithSSO({ providerId: 'bigcorp' }));
  assert.equal(new URL(byId.url).origin, company.url);
});

test('unknown companies, and both or neither of domain and provider, are rejected', async () => {
  assertError(
    await server.client().signInWithSSO({ domain: 'nobody.example' }),
    404,
    'sso_provider_not_found',
  );
  assertError(await server.client().signInWithSSO({ providerId: 'acme' }), 404, 'sso_provider_not_found');
  for (const body of [{}, { domain: 'bigcorp.example', provider_id: 'bigcorp' }]) {
    await assertErrorResponse(await server.call('POST', '/sso', { body }), 400, 'validation_failed');
  }
});

test('without skip_http_redirect the response is a redirect', async () => {
  const answer = await server.call('POST', '/sso', { body: { domain: 'bigcorp.example' } });
  assert.equal(answer.status, 303);
  assert.equal(new URL(answer.headers.get('location')).origin, company.url);
});

test('a company’s provider is not trusted for other domains', async () => {
  const person = await server.person();
  company.person = { sub: 'mallory', email: person.email, email_verified: true };
  const token = company.token();
  const { data, error } = await server.client().signInWithIdToken({ provider: 'bigcorp', token });
  assert.ok(error || data.user.id !== person.id);
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
