import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertErrorResponse } from './support/expect.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());
const wrong = { email: 'nobody@example.com', password: 'not-it-at-all' };

test('without a version, or with an old or odd one, errors have the older format', async () => {
  for (const version of [undefined, '2023-12-31', 'yesterday']) {
    const answer = await fetch(`${server.url}/token?grant_type=password`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(version ? { 'x-supabase-api-version': version } : {}),
      },
      body: JSON.stringify(wrong),
    });
    assert.equal(answer.status, 400);
    const body = await answer.json();
    assert.equal(body.code, 400);
    assert.equal(body.error_code, 'invalid_credentials');
    assert.equal(body.msg, 'Invalid login credentials');
  }
});

test('with the version errors have the newer format, and the version is echoed', async () => {
  for (const version of ['2024-01-01', '2025-06-30']) {
    const answer = await server.call('POST', '/token?grant_type=password', {
      body: wrong,
      headers: { 'x-supabase-api-version': version },
    });
    const body = await assertErrorResponse(answer, 400, 'invalid_credentials');
    assert.equal(body.message, 'Invalid login credentials');
    assert.equal(answer.headers.get('x-supabase-api-version'), '2024-01-01');
  }
});

test('the reasons for a weak password are in both formats', async () => {
  const body = { email: server.address(), password: 'short' };
  const newer = await (await server.call('POST', '/signup', { body })).json();
  assert.ok(newer.weak_password.reasons.includes('length'));
  const headers = { 'x-supabase-api-version': '' };
  const older = await (await server.call('POST', '/signup', { body, headers })).json();
  assert.equal(older.error_code, 'weak_password');
  assert.ok(older.weak_password.reasons.includes('length'));
});

test('invalid JSON and wrong JSON types are bad_json', async () => {
  for (const body of ['{', '[]', '"text"', '{"email": 5}', '{"email": {}}', '{"password": ["x"]}', 'null']) {
    await assertErrorResponse(await server.call('POST', '/signup', { body }), 400, 'bad_json');
  }
});

test('a body of another content type is rejected, which prevents cross-site forms', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const headers = { 'content-type': type };
    const body = JSON.stringify(wrong);
    await assertErrorResponse(
      await server.call('POST', '/token?grant_type=password', { body, headers }),
      415,
      'bad_json',
    );
  }
});

test('a body over 1 MiB is rejected', async () => {
  const body = { email: 'a@example.com', password: 'x'.repeat(1024 * 1024) };
  await assertErrorResponse(await server.call('POST', '/signup', { body }), 413, 'request_entity_too_large');
});

test('unknown fields, nulls and empty texts are ignored', async () => {
  const body = {
    ...wrong,
    phone: null,
    gotrue_meta_security: { captcha_token: 'x' },
    code_challenge: null,
    code_challenge_method: '',
    colour: 'blue',
  };
  await assertErrorResponse(
    await server.call('POST', '/token?grant_type=password', { body }),
    400,
    'invalid_credentials',
  );
});

test('calls without a bearer are 401, with an invalid one 403', async () => {
  for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: 'Bearer' }]) {
    await assertErrorResponse(await server.call('GET', '/user', { headers }), 401, 'no_authorization');
  }
  await assertErrorResponse(await server.call('GET', '/user', { token: 'nonsense' }), 403, 'bad_jwt');
});

test('unknown paths are a 404 in JSON', async () => {
  for (const [method, path] of [
    ['GET', '/user/identities/authorize?provider=acme'],
    ['POST', '/invite'],
    ['POST', '/passkeys/registration/options'],
    ['GET', '/oauth/authorizations/x'],
    ['GET', '/admin/oauth/clients'],
    ['GET', '/admin/custom-providers'],
    ['GET', '/nothing/here'],
  ]) {
    const answer = await server.call(method, path, method === 'POST' ? { body: {} } : {});
    assert.equal(answer.status, 404, path);
    assert.match(answer.headers.get('content-type'), /json/, path);
    assert.ok((await answer.json()).code, path);
  }
});

test('a rejected credential is never a 5xx', async () => {
  for (const body of [
    { refresh_token: '\u0000'.repeat(20) },
    { refresh_token: '💥'.repeat(20) },
    { refresh_token: 'x'.repeat(100_000) },
  ]) {
    const answer = await server.call('POST', '/token?grant_type=refresh_token', { body });
    assert.equal(answer.status, 400);
  }
  const nul = { email: 'a\u0000@example.com', password: 'x'.repeat(100_000) };
  assert.equal((await server.call('POST', '/token?grant_type=password', { body: nul })).status, 400);
});

test('every endpoint is in the API description', async () => {
  const { paths } = await (await fetch(`${server.site}/api/openapi.json`)).json();
  const all = Object.keys(paths).join('\n');
  for (const path of [
    'signup',
    'token',
    'otp',
    'verify',
    'recover',
    'resend',
    'sso',
    'user',
    'reauthenticate',
    'logout',
    'factors',
    'jwks.json',
    'user/identities',
    'admin/users',
    'admin/generate_link',
    'authorize',
    'callback',
  ]) {
    assert.ok(all.includes(path), path);
  }
});
