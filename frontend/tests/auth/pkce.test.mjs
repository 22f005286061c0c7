import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSession, eventNames, granted, refusedCall } from './support/expect.mjs';
import { sha256 } from './support/issuer.mjs';
import { press } from './support/mail.mjs';
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
  const { location } = await press(link);
  return { auth_code: location.searchParams.get('code'), code_verifier: verifier };
}

test('signing up by link hands out a code that only the same browser can use', async () => {
  const email = server.address();
  const client = pkce();
  granted(await client.signUp({ email, password: 'Walnut-Ferry-Kestrel-45' }));
  const { link } = await server.mail.next(email);
  assert.match(new URL(link).searchParams.get('token'), /^pkce_/);
  const { status, location } = await press(link);
  assert.equal(status, 303);
  assert.ok(!location.href.includes('access_token'));
  const { session } = granted(await client.exchangeCodeForSession(location.searchParams.get('code')));
  assertSession(session);
  assert.deepEqual(eventNames(client), ['SIGNED_IN']);
});

test('a recovery flow ends in PASSWORD_RECOVERY', async () => {
  const { email } = await server.person();
  const client = pkce();
  granted(await client.resetPasswordForEmail(email));
  const { location } = await press((await server.mail.next(email)).link);
  granted(await client.exchangeCodeForSession(location.searchParams.get('code')));
  assert.deepEqual(eventNames(client), ['PASSWORD_RECOVERY']);
});

test('a code works once', async () => {
  const { email } = await server.person();
  const body = await flow(email);
  const first = await exchange(body);
  assert.equal(first.status, 200);
  assertSession(await first.json());
  await refusedCall(await exchange(body), 404, 'flow_state_not_found');
});

test('a wrong verifier burns the code', async () => {
  const { email } = await server.person();
  const body = await flow(email);
  await refusedCall(await exchange({ ...body, code_verifier: 'w'.repeat(43) }), 400, 'bad_code_verifier');
  await refusedCall(await exchange(body), 404, 'flow_state_not_found');
});

test('the challenge itself is no verifier', async () => {
  const { email } = await server.person();
  const body = await flow(email);
  const code_verifier = sha256(body.code_verifier, 'base64url');
  await refusedCall(await exchange({ ...body, code_verifier }), 400, 'bad_code_verifier');
});

test('an exchange needs both halves', async () => {
  for (const body of [{ auth_code: 'x' }, { code_verifier: 'x' }, {}]) {
    await refusedCall(await exchange(body), 400, 'validation_failed');
  }
  await refusedCall(
    await exchange({ auth_code: 'unknown', code_verifier: 'v'.repeat(43) }),
    404,
    'flow_state_not_found',
  );
});

test('half a pair, a weak method and a bad challenge are refused', async () => {
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
    await refusedCall(answer, 400, 'validation_failed');
  }
  const body = { email, code_challenge: challenge, code_challenge_method: 'S256' };
  assert.equal((await server.call('POST', '/otp', { body })).status, 200);
});

test('a code typed by hand works in such a flow too', async () => {
  const { email } = await server.person();
  const client = pkce();
  granted(await client.signInWithOtp({ email }));
  const { code } = await server.mail.next(email);
  assertSession(granted(await client.verifyOtp({ email, token: code, type: 'email' })).session);
});

test('a used link fails in query and fragment', async () => {
  const { email } = await server.person();
  granted(await pkce().signInWithOtp({ email }));
  const { link } = await server.mail.next(email);
  await press(link);
  const { location } = await press(link);
  assert.equal(location.searchParams.get('error_code'), 'otp_expired');
  assert.match(location.hash, /error_code=otp_expired/);
});
