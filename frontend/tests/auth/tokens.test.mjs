import assert from 'node:assert/strict';
import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assertErrorResponse } from './support/expect.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());
const client = await server.signIn(await server.person());
const token = client.session.access_token;
const [, , body, footer] = token.split('.');
const claims = JSON.parse(Buffer.from(body, 'base64url').subarray(0, -64).toString());

const assertRejected = async (candidate) =>
  assertErrorResponse(await server.call('GET', '/user', { token: candidate }), 403, 'bad_jwt');

/** PASETO's pre-authentication encoding. */
const encodePieces = (pieces) => {
  const count = (number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(number));
    return bytes;
  };
  return Buffer.concat([count(pieces.length), ...pieces.flatMap((piece) => [count(piece.length), piece])]);
};

/** A v4.public token that the test signs. */
const signToken = (key, payload, tail = footer) => {
  const message = Buffer.from(JSON.stringify(payload));
  const foot = Buffer.from(tail, 'base64url');
  const pieces = [Buffer.from('v4.public.'), message, foot, Buffer.alloc(0)];
  const signature = sign(null, encodePieces(pieces), key);
  return `v4.public.${Buffer.concat([message, signature]).toString('base64url')}.${tail}`;
};

/** The server's own key, from its folder: PKCS#8 around the seed. */
const ownKey = () => {
  const { signing } = JSON.parse(readFileSync(join(server.data, 'auth-keys.json'), 'utf8'));
  const der = Buffer.from(`302e020100300506032b657004220420${signing.at(-1).seed}`, 'hex');
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
};

const fromNow = (seconds) => new Date(Date.now() + seconds * 1000).toISOString();

test('a token has subject, expiry and sign-in method', () => {
  assert.equal(claims.sub, client.session.user.id);
  assert.equal(claims.aud, 'authenticated');
  assert.equal(claims.role, 'authenticated');
  assert.equal(claims.aal, 'aal1');
  assert.equal(claims.amr[0].method, 'password');
  assert.match(claims.session_id, /^[0-9a-f-]{36}$/);
  assert.ok(claims.iss);
  for (const time of [claims.iat, claims.nbf, claims.exp]) assert.ok(Number.isFinite(Date.parse(time)), time);
  assert.ok(Math.abs(Date.parse(claims.exp) / 1000 - client.session.expires_at) <= 1);
  assert.ok(JSON.parse(Buffer.from(footer, 'base64url').toString()).kid);
});

test('the key set contains the public key in no form that a JWT library accepts', async () => {
  const answer = await server.call('GET', '/.well-known/jwks.json');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=600');
  const { keys } = await answer.json();
  const { kid } = JSON.parse(Buffer.from(footer, 'base64url').toString());
  const key = keys.find((candidate) => candidate.kid === kid);
  assert.equal(key.kty, 'OKP');
  assert.equal(key.crv, 'Ed25519');
  assert.equal(key.use, 'sig');
  assert.equal(Buffer.from(key.x, 'base64url').length, 32);
  for (const candidate of keys) {
    assert.equal(candidate.alg, undefined);
    assert.equal(candidate.d, undefined);
    assert.notEqual(candidate.kty, 'oct');
  }
});

test('a token tampered with at any position is rejected', async () => {
  const swap = (text, at) => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
  await assertRejected(`v4.public.${swap(body, 10)}.${footer}`);
  await assertRejected(`v4.public.${swap(body, body.length - 10)}.${footer}`);
  await assertRejected(`v4.public.${body}.${swap(footer, 2)}`);
  await assertRejected(`v4.public.${body}`);
  await assertRejected(`v4.public.${body}.`);
  await assertRejected(`${token}.${footer}`);
  const other = Buffer.from(JSON.stringify({ kid: 'other' })).toString('base64url');
  await assertRejected(`v4.public.${body}.${other}`);
});

test('other versions, purposes and encodings are rejected', async () => {
  for (const head of ['v4.local', 'v3.public', 'v2.public', 'v1.public', 'V4.PUBLIC', 'v4.Public', 'v4']) {
    await assertRejected(`${head}.${body}.${footer}`);
  }
});

test('a token signed with a foreign key is rejected whatever it claims', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  await assertRejected(signToken(privateKey, claims));
  await assertRejected(signToken(privateKey, { ...claims, role: 'service_role' }));
});

test('an expired, early or foreign token is rejected even with the right key', async () => {
  const key = ownKey();
  const good = await server.call('GET', '/user', { token: signToken(key, { ...claims, exp: fromNow(60) }) });
  assert.equal(good.status, 200, 'the key is the right one');
  for (const wrong of [
    { exp: fromNow(-1) },
    { exp: fromNow(-86_400) },
    { exp: undefined },
    { exp: 4_102_444_800 },
    { nbf: fromNow(60) },
    { aud: 'somebody-else' },
    { iss: 'https://elsewhere.example/auth/v1' },
  ]) {
    await assertRejected(signToken(key, { ...claims, ...wrong }));
  }
});

test('a token is valid for its own key only and needs a key id', async () => {
  const key = ownKey();
  for (const named of [{ kid: '0000000000000000' }, { kid: '' }, { kid: null }, {}]) {
    await assertRejected(signToken(key, claims, Buffer.from(JSON.stringify(named)).toString('base64url')));
  }
});

test('a valid token of an ended session or of another user is rejected', async () => {
  const key = ownKey();
  const other = await server.signIn(await server.person());
  const borrowed = signToken(key, { ...claims, sub: other.session.user.id });
  await assertErrorResponse(await server.call('GET', '/user', { token: borrowed }), 403, 'session_not_found');
  const nobody = signToken(key, { ...claims, sub: '01900000-0000-7000-8000-000000000000' });
  await assertErrorResponse(await server.call('GET', '/user', { token: nobody }), 403, 'user_not_found');
  await other.signOut({ scope: 'local' });
  const { access_token } = other.session;
  await assertErrorResponse(
    await server.call('GET', '/user', { token: access_token }),
    403,
    'session_not_found',
  );
});

test('a JWT of any kind is rejected', async () => {
  const { keys } = await (await server.call('GET', '/.well-known/jwks.json')).json();
  const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const payload = encoded({ ...claims, iat: now, nbf: now, exp: now + 600 });
  const none = `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}`;
  await assertRejected(`${none}.`);
  const head = `${encoded({ alg: 'HS256', typ: 'JWT', kid: keys[0].kid })}.${payload}`;
  for (const secret of ['secret', '', Buffer.from(keys[0].x, 'base64url'), JSON.stringify(keys[0])]) {
    await assertRejected(`${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`);
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const eddsa = `${encoded({ alg: 'EdDSA', typ: 'JWT', kid: keys[0].kid })}.${payload}`;
  await assertRejected(`${eddsa}.${sign(null, Buffer.from(eddsa), privateKey).toString('base64url')}`);
});

test('a refresh token is no access token', async () => {
  await assertRejected(client.session.refresh_token);
});
