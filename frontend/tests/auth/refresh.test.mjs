import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertError, assertErrorResponse, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { start } from './support/server.mjs';

let server;
before(async () => {
  server = await start();
});
after(() => server.stop());

const renew = (on, refresh_token) =>
  on.call('POST', '/token?grant_type=refresh_token', { body: { refresh_token } });

test('a refresh returns new tokens of the same session and emits TOKEN_REFRESHED', async () => {
  const client = await server.signIn(await server.person());
  const { session } = dataOf(await client.refreshSession());
  assertSession(session);
  assert.notEqual(session.refresh_token, client.session.refresh_token);
  assert.notEqual(session.access_token, client.session.access_token);
  assert.deepEqual(eventNames(client), ['SIGNED_IN', 'TOKEN_REFRESHED']);
  dataOf(await client.getUser());
});

test('a lost refresh response can be requested again', async () => {
  const client = await server.signIn(await server.person());
  const first = await (await renew(server, client.session.refresh_token)).json();
  const again = await (await renew(server, client.session.refresh_token)).json();
  assert.equal(again.refresh_token, first.refresh_token);
  const next = await renew(server, first.refresh_token);
  assert.equal(next.status, 200);
});

test('concurrent refreshes in many tabs end with one token', async () => {
  const client = await server.signIn(await server.person());
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => renew(server, client.session.refresh_token)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const tokens = await Promise.all(answers.map(async (answer) => (await answer.json()).refresh_token));
  assert.equal(new Set(tokens).size, 1);
});

test('within the reuse window an older token returns the current one', async () => {
  const client = await server.signIn(await server.person());
  const second = await (await renew(server, client.session.refresh_token)).json();
  const third = await (await renew(server, second.refresh_token)).json();
  const old = await renew(server, client.session.refresh_token);
  assert.equal(old.status, 200);
  assert.equal((await old.json()).refresh_token, third.refresh_token);
});

test('an unknown refresh token is rejected', async () => {
  for (const token of ['abcdefghijkl', 'A'.repeat(43), 'unknown_token-'.repeat(9)]) {
    const { message } = await assertErrorResponse(await renew(server, token), 400, 'refresh_token_not_found');
    assert.equal(message, 'Invalid Refresh Token: Refresh Token Not Found');
  }
});

test('a tampered token is rejected without side effects', async () => {
  const client = await server.signIn(await server.person());
  const token = client.session.refresh_token;
  const last = token.at(-5) === 'A' ? 'B' : 'A';
  const changed = `${token.slice(0, -5)}${last}${token.slice(-4)}`;
  const answer = await renew(server, changed);
  assert.equal(answer.status, 400);
  dataOf(await client.getUser());
  dataOf(await client.refreshSession());
});

test('a value that is not a token is a malformed request', async () => {
  for (const token of ['', 'short', 'with a space in it', 'dotted.dotted.dotted']) {
    await assertErrorResponse(await renew(server, token), 400, 'validation_failed');
  }
});

test('after signing out the refresh token is rejected', async () => {
  const client = await server.signIn(await server.person());
  dataOf(await client.signOut({ scope: 'local' }).then(({ error }) => ({ data: null, error })));
  const answer = await renew(server, client.session.refresh_token);
  assert.equal(answer.status, 400);
});

test('a banned user gets no new tokens', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  dataOf(await (await server.admin()).updateUserById(person.id, { ban_duration: '24h' }));
  const answer = await renew(server, client.session.refresh_token);
  assert.equal(answer.status, 400);
  assert.ok(
    ['user_banned', 'session_not_found', 'refresh_token_not_found'].includes((await answer.json()).code),
  );
});

test('a client that starts with a stored session is signed in', async () => {
  const first = await server.signIn(await server.person());
  const second = server.client({ storage: first.memory });
  const { session } = dataOf(await second.getSession());
  assert.equal(session.access_token, first.session.access_token);
  assert.equal(session.aal, 'aal1');
  dataOf(await second.getUser());
});

test('a client whose token is about to expire refreshes first', async () => {
  const first = await server.signIn(await server.person());
  const [[key, stored]] = [...first.memory.items].filter(([, value]) => value.includes('access_token'));
  const expires_at = Math.floor(Date.now() / 1000) + 60;
  first.memory.setItem(key, JSON.stringify({ ...JSON.parse(stored), expires_at }));
  const second = server.client({ storage: first.memory });
  const { session } = dataOf(await second.getSession());
  assert.notEqual(session.refresh_token, first.session.refresh_token);
  dataOf(await second.getUser());
});

test('a session can be restored from its refresh token alone', async () => {
  const first = await server.signIn(await server.person());
  const { refresh_token } = first.session;
  const { session } = dataOf(await server.client().refreshSession({ refresh_token }));
  assertSession(session);
});

test('setSession and getClaims return an error for PASETO tokens', async () => {
  const client = await server.signIn(await server.person());
  const { access_token, refresh_token } = client.session;
  const set = await server.client().setSession({ access_token, refresh_token });
  assertError(set, 400, 'invalid_jwt');
  assertError(await client.getClaims(), 400, 'invalid_jwt');
});
