import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertSession, eventNames, granted, refused, refusedCall } from './support/expect.mjs';
import { start } from './support/server.mjs';

// Without an interval of grace, every reuse beyond the last token is theft at once.
let server;
let lenient;
before(async () => {
  server = await start({ auth: { refresh_reuse_seconds: 0 } });
  lenient = await start();
});
after(async () => {
  await server.stop();
  await lenient.stop();
});

const renew = (on, refresh_token) =>
  on.call('POST', '/token?grant_type=refresh_token', { body: { refresh_token } });

test('a refresh gives new tokens for the same session and says so', async () => {
  const client = await server.signIn(await server.person());
  const { session } = granted(await client.refreshSession());
  assertSession(session);
  assert.notEqual(session.refresh_token, client.session.refresh_token);
  assert.notEqual(session.access_token, client.session.access_token);
  assert.deepEqual(eventNames(client), ['SIGNED_IN', 'TOKEN_REFRESHED']);
  granted(await client.getUser());
});

test('whoever lost the answer gets the same token again', async () => {
  const client = await server.signIn(await server.person());
  const first = await (await renew(server, client.session.refresh_token)).json();
  const again = await (await renew(server, client.session.refresh_token)).json();
  assert.equal(again.refresh_token, first.refresh_token);
  const next = await renew(server, first.refresh_token);
  assert.equal(next.status, 200);
});

test('many tabs that refresh at once all go on with one token', async () => {
  const client = await lenient.signIn(await lenient.person());
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => renew(lenient, client.session.refresh_token)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const tokens = await Promise.all(answers.map(async (answer) => (await answer.json()).refresh_token));
  assert.equal(new Set(tokens).size, 1);
});

test('within the grace an older token still gets the active one', async () => {
  const client = await lenient.signIn(await lenient.person());
  const second = await (await renew(lenient, client.session.refresh_token)).json();
  const third = await (await renew(lenient, second.refresh_token)).json();
  const old = await renew(lenient, client.session.refresh_token);
  assert.equal(old.status, 200);
  assert.equal((await old.json()).refresh_token, third.refresh_token);
});

test('an old token that comes back ends its session, access tokens and all, and no other', async () => {
  const person = await server.person();
  const victim = await server.signIn(person);
  const bystander = await server.signIn(person);
  const second = await (await renew(server, victim.session.refresh_token)).json();
  const third = await (await renew(server, second.refresh_token)).json();
  await refusedCall(await renew(server, victim.session.refresh_token), 400, 'refresh_token_already_used');
  await refusedCall(
    await server.call('GET', '/user', { token: third.access_token }),
    403,
    'session_not_found',
  );
  const after = await renew(server, third.refresh_token);
  assert.equal(after.status, 400);
  granted(await bystander.getUser());
  granted(await bystander.refreshSession());
});

test('a token that was never given out is refused', async () => {
  for (const token of ['abcdefghijkl', 'A'.repeat(43), 'unknown_token-'.repeat(9)]) {
    const { message } = await refusedCall(await renew(server, token), 400, 'refresh_token_not_found');
    assert.equal(message, 'Invalid Refresh Token: Refresh Token Not Found');
  }
});

test('a changed token is refused and harms nobody', async () => {
  const client = await server.signIn(await server.person());
  const token = client.session.refresh_token;
  const last = token.at(-5) === 'A' ? 'B' : 'A';
  const changed = `${token.slice(0, -5)}${last}${token.slice(-4)}`;
  const answer = await renew(server, changed);
  assert.equal(answer.status, 400);
  granted(await client.getUser());
  granted(await client.refreshSession());
});

test('what is no token at all is a malformed request', async () => {
  for (const token of ['', 'short', 'with a space in it', 'dotted.dotted.dotted']) {
    await refusedCall(await renew(server, token), 400, 'validation_failed');
  }
});

test('after signing out the refresh token is worth nothing', async () => {
  const client = await server.signIn(await server.person());
  granted(await client.signOut({ scope: 'local' }).then(({ error }) => ({ data: null, error })));
  const answer = await renew(server, client.session.refresh_token);
  assert.equal(answer.status, 400);
});

test('a banned person gets no new tokens', async () => {
  const person = await server.person();
  const client = await server.signIn(person);
  granted(await (await server.admin()).updateUserById(person.id, { ban_duration: '24h' }));
  const answer = await renew(server, client.session.refresh_token);
  assert.equal(answer.status, 400);
  assert.ok(
    ['user_banned', 'session_not_found', 'refresh_token_not_found'].includes((await answer.json()).code),
  );
});

test('a client that starts with a stored session is signed in', async () => {
  const first = await server.signIn(await server.person());
  const second = server.client({ storage: first.memory });
  const { session } = granted(await second.getSession());
  assert.equal(session.access_token, first.session.access_token);
  assert.equal(session.aal, 'aal1');
  granted(await second.getUser());
});

test('a client whose token is about to expire refreshes first', async () => {
  const first = await server.signIn(await server.person());
  const [[key, stored]] = [...first.memory.items].filter(([, value]) => value.includes('access_token'));
  const expires_at = Math.floor(Date.now() / 1000) + 60;
  first.memory.setItem(key, JSON.stringify({ ...JSON.parse(stored), expires_at }));
  const second = server.client({ storage: first.memory });
  const { session } = granted(await second.getSession());
  assert.notEqual(session.refresh_token, first.session.refresh_token);
  granted(await second.getUser());
});

test('a session can be taken up from its refresh token alone', async () => {
  const first = await server.signIn(await server.person());
  const { refresh_token } = first.session;
  const { session } = granted(await server.client().refreshSession({ refresh_token }));
  assertSession(session);
});

test('setSession and getClaims cannot read our tokens and say so cleanly', async () => {
  const client = await server.signIn(await server.person());
  const { access_token, refresh_token } = client.session;
  const set = await server.client().setSession({ access_token, refresh_token });
  refused(set, 400, 'invalid_jwt');
  refused(await client.getClaims(), 400, 'invalid_jwt');
});
