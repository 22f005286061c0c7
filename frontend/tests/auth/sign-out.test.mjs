import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertError, assertErrorResponse, dataOf, eventNames } from './support/expect.mjs';
import { start } from './support/server.mjs';

const server = await start();
after(() => server.stop());

/** Three open sessions of one new person. */
async function three() {
  const person = await server.person();
  return [await server.signIn(person), await server.signIn(person), await server.signIn(person)];
}

const alive = async (client) =>
  (await server.call('GET', '/user', { token: client.session.access_token })).status === 200;

test('local ends this session only', async () => {
  const [one, two, other] = await three();
  assert.equal((await one.signOut({ scope: 'local' })).error, null);
  assert.deepEqual([await alive(one), await alive(two), await alive(other)], [false, true, true]);
  assert.deepEqual(eventNames(one), ['SIGNED_IN', 'SIGNED_OUT']);
  assert.equal(one.events[1].session, null);
});

test('others ends all but this one, without an event', async () => {
  const [one, two, other] = await three();
  assert.equal((await one.signOut({ scope: 'others' })).error, null);
  assert.deepEqual([await alive(one), await alive(two), await alive(other)], [true, false, false]);
  assert.deepEqual(eventNames(one), ['SIGNED_IN']);
  dataOf(await one.refreshSession());
});

test('global, and no scope at all, end every session', async () => {
  for (const options of [{ scope: 'global' }, undefined]) {
    const clients = await three();
    assert.equal((await clients[0].signOut(options)).error, null);
    assert.deepEqual(await Promise.all(clients.map(alive)), [false, false, false]);
  }
});

test('the bare call answers 204 with an empty body', async () => {
  const [one] = await three();
  const token = one.session.access_token;
  const headers = { 'content-type': 'application/json;charset=UTF-8' };
  const answer = await server.call('POST', '/logout', { token, headers });
  assert.equal(answer.status, 204);
  assert.equal(await answer.text(), '');
});

test('an unknown scope is rejected and ends nothing', async () => {
  const [one] = await three();
  const token = one.session.access_token;
  await assertErrorResponse(
    await server.call('POST', '/logout?scope=everyone', { token }),
    400,
    'validation_failed',
  );
  assert.ok(await alive(one));
});

test('signing out twice is not an error', async () => {
  const [one] = await three();
  await server.call('POST', '/logout', { token: one.session.access_token });
  assert.equal((await one.signOut()).error, null);
  assert.equal((await one.getSession()).data.session, null);
});

test('a user asked for in an ended session is a missing session, and the client forgets it', async () => {
  const [one, two] = await three();
  dataOf(await two.signOut({ scope: 'global' }).then(({ error }) => ({ data: null, error })));
  const error = assertError(await one.getUser(), 400, undefined);
  assert.equal(error.name, 'AuthSessionMissingError');
  assert.equal((await one.getSession()).data.session, null);
});

test('the admin interface signs out whoever’s token it is given', async () => {
  const [one, two] = await three();
  const admin = await server.admin();
  assert.equal((await admin.signOut(one.session.access_token, 'local')).error, null);
  assert.deepEqual([await alive(one), await alive(two)], [false, true]);
});
