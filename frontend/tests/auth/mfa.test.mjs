import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertError, assertErrorResponse, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { start } from './support/server.mjs';
import { stepNow, totp, wrongCode } from './support/totp.mjs';

const server = await start();
after(() => server.stop());

/**
 * A user with a verified factor, signed in at aal2. The code of `step` is used up, that of the
 * next still good.
 */
async function secured() {
  const person = await server.person();
  const client = await server.signIn(person);
  const factor = dataOf(await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }));
  const step = stepNow();
  const code = totp(factor.totp.secret, step);
  const verified = dataOf(await client.mfa.challengeAndVerify({ factorId: factor.id, code }));
  return { person, client, factor, verified, step };
}

test('enrolling returns a QR code, a secret and a URI', async () => {
  const client = await server.signIn(await server.person());
  const factor = dataOf(
    await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone', issuer: 'Guard #1' }),
  );
  assert.equal(factor.type, 'totp');
  assert.equal(factor.friendly_name, 'phone');
  assert.match(factor.totp.secret, /^[A-Z2-7]{26,}$/);
  const uri = new URL(factor.totp.uri);
  assert.equal(`${uri.protocol}//${uri.host}`, 'otpauth://totp');
  assert.equal(uri.searchParams.get('secret'), factor.totp.secret);
  assert.equal(uri.searchParams.get('issuer'), 'Guard #1');
  assert.match(factor.totp.qr_code, /^data:image\/svg\+xml;utf-8,.*<svg/s);
  assert.ok(!factor.totp.qr_code.includes('#'), 'a # would end the data URL');
  const { all, totp: verified } = dataOf(await client.mfa.listFactors());
  assert.equal(all.length, 1);
  assert.equal(all[0].status, 'unverified');
  assert.equal(verified.length, 0);
  assert.ok(!JSON.stringify(all).includes(factor.totp.secret));
});

test('a correct code raises the session to aal2 with new tokens', async () => {
  const { client, verified } = await secured();
  assertSession({ ...verified, expires_at: verified.expires_at }, 'aal2');
  assert.notEqual(verified.refresh_token, client.session.refresh_token);
  assert.deepEqual(eventNames(client), ['SIGNED_IN', 'MFA_CHALLENGE_VERIFIED']);
  const { user } = dataOf(await client.getUser());
  assert.equal(user.factors.length, 1);
  assert.equal(user.factors[0].status, 'verified');
  const { session } = dataOf(await client.refreshSession());
  assert.equal(session.aal, 'aal2');
});

test('aal1 tokens never yield an aal2 session', async () => {
  const { client } = await secured();
  const body = { refresh_token: client.session.refresh_token };
  const answer = await server.call('POST', '/token?grant_type=refresh_token', { body });
  if (answer.status === 200) assert.equal((await answer.json()).aal, 'aal1');
  else assert.equal(answer.status, 400);
});

test('a code and earlier codes cannot be replayed', async () => {
  const { person, factor, step } = await secured();
  const again = await server.signIn(person);
  const attempt = (at) =>
    again.mfa.challengeAndVerify({ factorId: factor.id, code: totp(factor.totp.secret, at) });
  for (const used of [step - 1, step]) assertError(await attempt(used), 422, 'mfa_verification_failed');
  dataOf(await attempt(step + 1));
});

test('a wrong code is rejected with the specified message', async () => {
  const { person, factor } = await secured();
  const client = await server.signIn(person);
  const error = assertError(
    await client.mfa.challengeAndVerify({ factorId: factor.id, code: wrongCode(factor.totp.secret) }),
    422,
    'mfa_verification_failed',
  );
  assert.equal(error.message, 'Invalid TOTP code entered');
});

test('wrong codes are rate limited', async () => {
  const { person, factor } = await secured();
  const client = await server.signIn(person);
  const codes = new Set();
  for (let tries = 0; tries < 40 && !codes.has('over_request_rate_limit'); tries += 1) {
    const { error } = await client.mfa.challengeAndVerify({
      factorId: factor.id,
      code: wrongCode(factor.totp.secret),
    });
    codes.add(error.code);
  }
  assert.ok(codes.has('over_request_rate_limit'), [...codes].join());
});

test('verifying a factor ends the other sessions without it', async () => {
  const person = await server.person();
  const [client, other] = [await server.signIn(person), await server.signIn(person)];
  const factor = dataOf(await client.mfa.enroll({ factorType: 'totp' }));
  dataOf(await client.mfa.challengeAndVerify({ factorId: factor.id, code: totp(factor.totp.secret) }));
  assert.ok((await other.getUser()).error);
  dataOf(await client.getUser());
});

test('account changes need the second factor', async () => {
  const { person, factor } = await secured();
  const thief = await server.signIn(person);
  assert.equal(thief.session.aal, 'aal1');
  assertError(await thief.updateUser({ password: 'Thief-Walnut-Ferry-1' }), 401, 'insufficient_aal');
  assertError(await thief.updateUser({ email: server.address() }), 401, 'insufficient_aal');
  assertError(await thief.mfa.unenroll({ factorId: factor.id }), 422, 'insufficient_aal');
  assertError(await thief.mfa.enroll({ factorType: 'totp', friendlyName: 'mine' }), 403, 'insufficient_aal');
});

test('removing a factor removes its requirement', async () => {
  const { person, client, factor } = await secured();
  assert.deepEqual(dataOf(await client.mfa.unenroll({ factorId: factor.id })), { id: factor.id });
  const { session } = dataOf(await client.refreshSession());
  assert.equal(session.aal, 'aal1');
  const later = await server.signIn(person);
  dataOf(await later.updateUser({ password: 'Fresh-Walnut-Ferry-82' }));
});

test('a challenge has an expiry time and works once', async () => {
  const { person, factor, step } = await secured();
  const client = await server.signIn(person);
  const challenge = dataOf(await client.mfa.challenge({ factorId: factor.id }));
  assert.equal(challenge.type, 'totp');
  const left = challenge.expires_at - Date.now() / 1000;
  assert.ok(left > 290 && left < 310, String(left));
  const code = totp(factor.totp.secret, step + 1);
  dataOf(await client.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code }));
  const { error } = await client.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code });
  assert.equal(error.status, 422);
});

test('another user’s factor is not found', async () => {
  const { factor } = await secured();
  const stranger = await server.signIn(await server.person());
  assertError(await stranger.mfa.challenge({ factorId: factor.id }), 404, 'mfa_factor_not_found');
  const token = stranger.session.access_token;
  await assertErrorResponse(
    await server.call('POST', '/factors/nonsense/challenge', { token, body: {} }),
    404,
    'validation_failed',
  );
  const foreign = await server.call('DELETE', `/factors/${factor.id}`, { token });
  assert.equal(foreign.status, 404);
});

test('factor names are unique and other factor types are rejected', async () => {
  const client = await server.signIn(await server.person());
  dataOf(await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }));
  assertError(
    await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }),
    422,
    'mfa_factor_name_conflict',
  );
  assertError(
    await client.mfa.enroll({ factorType: 'phone', phone: '15550142', friendlyName: 'sms' }),
    422,
    'mfa_phone_enroll_not_enabled',
  );
  const token = client.session.access_token;
  const pigeon = await server.call('POST', '/factors', { token, body: { factor_type: 'pigeon' } });
  await assertErrorResponse(pigeon, 400, 'validation_failed');
});

test('there is a limit of ten factors', async () => {
  const client = await server.signIn(await server.person());
  for (let number = 0; number < 10; number += 1) {
    dataOf(await client.mfa.enroll({ factorType: 'totp', friendlyName: `app ${number}` }));
  }
  assertError(
    await client.mfa.enroll({ factorType: 'totp', friendlyName: 'app 10' }),
    422,
    'too_many_enrolled_mfa_factors',
  );
});

test('reading the assurance level from a PASETO token returns an error', async () => {
  const { client } = await secured();
  const outcome = await client.mfa.getAuthenticatorAssuranceLevel().catch((error) => ({ error }));
  assert.equal(outcome.error.name, 'AuthInvalidJwtError');
});
