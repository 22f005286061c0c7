// What an answer must be: a refusal with its status and code, a session of the agreed shape, the
// events of a client.
import assert from 'node:assert/strict';

/** The client's result is a refusal with this status and code. */
export function assertError({ error }, status, code) {
  assert.ok(error, 'this should have been refused');
  assert.deepEqual({ status: error.status, code: error.code }, { status, code }, error.message);
  return error;
}

/** The bare answer is a refusal with this status and code, in the newer format. */
export async function assertErrorResponse(answer, status, code) {
  const body = await answer.json();
  assert.deepEqual({ status: answer.status, code: body.code }, { status, code }, body.message);
  return { ...body, headers: answer.headers };
}

/** The client's result is no refusal; gives its data. */
export function dataOf({ data, error }) {
  assert.equal(error, null, error?.message);
  return data;
}

/** Everything a session must have (contract section 2). */
export function assertSession(session, aal = 'aal1') {
  assert.match(session.access_token, /^v4\.public\.[\w-]+\.[\w-]+$/, 'a PASETO with a footer');
  assert.equal(session.token_type, 'bearer');
  assert.ok(session.refresh_token.length >= 22);
  assert.ok(session.expires_in > 0);
  const now = Date.now() / 1000;
  assert.ok(Math.abs(session.expires_at - now - session.expires_in) < 10);
  assert.equal(session.aal, aal);
  assertUser(session.user);
}

/** Everything a user must have, and nothing else. */
export function assertUser(user) {
  assert.match(user.id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  assert.equal(user.aud, 'authenticated');
  assert.equal(user.role, 'authenticated');
  assert.equal(typeof user.email, 'string');
  assert.equal(typeof user.phone, 'string');
  assert.equal(typeof user.app_metadata, 'object');
  assert.equal(typeof user.user_metadata, 'object');
  assert.ok(Array.isArray(user.identities));
  assert.ok(Date.parse(user.created_at) <= Date.now() + 1000);
  assert.ok(Date.parse(user.updated_at) <= Date.now() + 1000);
  assert.equal(user.is_anonymous, false);
  assert.doesNotMatch(JSON.stringify(user), /"(password|password_hash|encrypted_password|secret|token|otp)"/);
}

/** The names of the events a client has emitted so far. */
export const eventNames = (client) => client.events.map(({ event }) => event);
