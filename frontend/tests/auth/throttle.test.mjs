import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertError, assertErrorResponse, dataOf } from './support/expect.mjs';
import { adminPassword, start } from './support/server.mjs';

const servers = [];
const running = async (settings) => {
  const server = await start(settings);
  servers.push(server);
  return server;
};
after(async () => {
  for (const server of servers) await server.stop();
});

test('attempts of one client are rate limited with Retry-After', async () => {
  const server = await running({ limits: { sign_in_per_minute: 5 } });
  const answers = [];
  for (let tries = 0; tries < 12; tries += 1) {
    answers.push(
      await server.call('POST', '/token?grant_type=password', {
        body: { email: `guess-${tries}@example.com`, password: 'not-it-at-all' },
      }),
    );
  }
  const late = answers.at(-1);
  await assertErrorResponse(late, 429, 'over_request_rate_limit');
  assert.ok(Number(late.headers.get('retry-after')) >= 1);
  assert.equal(answers[0].status, 400);
});

test('emails of one kind to one account have a minimum interval', async () => {
  const server = await running({ limits: { mail_interval_seconds: 60 } });
  const { email } = await server.person();
  dataOf(await server.client().signInWithOtp({ email }));
  await server.mail.next(email);
  assertError(await server.client().signInWithOtp({ email }), 429, 'over_email_send_rate_limit');
  assert.equal(server.mail.count(email), 1);
});

test('recovery does not reveal its rate limit', async () => {
  const server = await running({ limits: { mail_interval_seconds: 60 } });
  const { email } = await server.person();
  const outcomes = [];
  for (const address of [email, email, server.address()]) {
    const { error } = await server.client().resetPasswordForEmail(address);
    outcomes.push(error?.code ?? 'ok');
  }
  const stranger = outcomes.pop();
  const twice = server.address();
  await server.client().resetPasswordForEmail(twice);
  const { error } = await server.client().resetPasswordForEmail(twice);
  assert.equal(stranger, 'ok');
  assert.equal(outcomes[1], error?.code ?? 'ok', 'a known address answers like an unknown one');
});

test('failed attempts by others do not lock the owner out for good', async () => {
  const server = await running({ limits: { account_failures_per_hour: 5 } });
  const email = 'admin@guard.example';
  let last;
  for (let tries = 0; tries < 15; tries += 1) {
    last = await server.call('POST', '/token?grant_type=password', {
      body: { email, password: 'not-it-at-all' },
    });
  }
  await assertErrorResponse(last, 429, 'over_request_rate_limit');
  const wait = Number(last.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 3600, String(wait));
  const { error } = await server.client().signInWithPassword({ email, password: adminPassword });
  assert.ok(error === null || error.status === 429, error?.message);
});
