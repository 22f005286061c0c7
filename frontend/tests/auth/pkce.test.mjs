import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertErrorResponse, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { sha256 } from './support/issuer.mjs';
import { confirmLink } from './support/mail.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());
const pkce = () => server.client({ flowType: 'pkce' });
const exchange = (body) => server.call('POST', '/token?grant_type=pkce', { body });

/** Begins a flow by hand and follows the mail; gives the code and its verifier. */
async function flow(email, verifier = 'v'.repeat(43)) {
  const body = { email, code_challenge: sha256(verifier, 'base64url'), code_challenge_method: 's256' };
  const answer = await server.call('POST', '/otp', { body });
  assert.equal(answer.status, 200);
  const { link } = await server.mail.next(email);
  const { location } = await confirmLink(link);
  return { auth_code: location.searchParams.get('code'), code_verifier: verifier };
}

test('signing up by a PKCE link returns a code for the same browser only', async () => {
  const email = server.address();
  const client = pkce();
  dataOf(await client.signUp({ email, password: 'Walnut-Ferry-Kestrel-45' }));
  const { link } = await server.mail.next(email);
  assert.match(new URL(link).searchParams.get('token'), /^pkce_/);
  const { status, location } = await confirmLink(link);
  assert.equal(status, 303);
  assert.ok(!location.href.includes('access_token'));
  const { session } = dataOf(await client.exchangeCodeForSession(location.searchParams.get('code')));
  assertSession(session);
  assert.deepEqual(eventNames(client), ['SIGNED_IN']);
});

test('a recovery flow ends in PASSWORD_RECOVERY', async () => {
  const { email } = await server.person();
  const client = pkce();
  dataOf(await client.resetPasswordForEmail(email));
  const { location } = await confirmLink((await server.mail.next(email)).link);
  dataOf(await client.exchangeCodeForSession(location.searchParams.get('code')));
  assert.deepEqual(eventNames(client), ['PASSWORD_RECOVERY']);
});

test('a code works once', async () => {
  const { email } = await server.person();
  const body = await flow(email);
  const first = await exchange(body);
  assert.equal(first.status, 200);
  assertSession(await first.json());
  await assertErrorResponse(await exchange(body), 404, 'flow_state_not_found');
});

test('a wrong verifier invalidates the code', async () => {
  const { email } = await server.person();
  const body = await flow(email);
  await assertErrorResponse(
    await exchange({ ...body, code_verifier: 'w'.repeat(43) }),
    400,
    'bad_code_verifier',
  );
  await assertErrorResponse(await exchange(body), 404, 'flow_state_not_found');
});

test('the challenge itself is not accepted as verifier', async () => {
  const { email } = await server.person();
  const body = await flow(email);
  const code_verifier = sha256(body.code_verifier, 'base64url');
  await assertErrorResponse(await exchange({ ...body, code_verifier }), 400, 'bad_code_verifier');
});

test('an exchange needs code and verifier', async () => {
  for (const body of [{ auth_code: 'x' }, { code_verifier: 'x' }, {}]) {
    await assertErrorResponse(await exchange(body), 400, 'validation_failed');
  }
  await assertErrorResponse(
    await exchange({ auth_code: 'unknown', code_verifier: 'v'.repeat(43) }),
    404,
    'flow_state_not_found',
  );
});

test('an incomplete pair, a weak method and a malformed challenge are rejected', async () => {
  const { email } = await server.person();
  const challenge = 'c'.repeat(43);
  for (const pair of [
    { code_challenge: challenge },
    { code_challenge_method: 's256' },
    { code_challenge: challenge, code_challenge_method: 'plain' },
    { code_challenge: 'short', code_challenge_method: 's256' },
    { code_challenge: 'c'.repeat(129), code_challenge_method: 's256' },
    { code_challenge: `${challenge}!`, code_challenge_method: 's256' },
  ]) {
    const answer = await server.call('POST', '/otp', { body: { email, ...pair } });
    await assertErrorResponse(answer, 400, 'validation_failed');
  }
  const body = { email, code_challenge: challenge, code_challenge_method: 'S256' };
  assert.equal((await server.call('POST', '/otp', { body })).status, 200);
});

test('a typed code works in a PKCE flow too', async () => {
  const { email } = await server.person();
  const client = pkce();
  dataOf(await client.signInWithOtp({ email }));
  const { code } = await server.mail.next(email);
  assertSession(dataOf(await client.verifyOtp({ email, token: code, type: 'email' })).session);
});

test('a used link fails in query and fragment', async () => {
  const { email } = await server.person();
  dataOf(await pkce().signInWithOtp({ email }));
  const { link } = await server.mail.next(email);
  await confirmLink(link);
  const { location } = await confirmLink(link);
  assert.equal(location.searchParams.get('error_code'), 'otp_expired');
  assert.match(location.hash, /error_code=otp_expired/);
});
