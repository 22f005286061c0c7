// Sign-in by redirects to an OpenID Connect provider: OAuth, and a company's own provider by mail
// domain.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { assertError, assertErrorResponse, assertSession, dataOf } from './support/expect.mjs';
import { fragment } from './support/mail.mjs';
import { startWithProviders } from './support/providers.mjs';
import { browser, followRedirects } from './support/redirects.mjs';

const { issuer, company, server, changePeople, stop } = await startWithProviders();
after(stop);
beforeEach(changePeople);

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
