// No level of the log contains secrets or addresses.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dataOf } from './support/expect.mjs';
import { sha256, startIssuer } from './support/issuer.mjs';
import { confirmLink, fragment } from './support/mail.mjs';
import { followRedirects } from './support/redirects.mjs';
import { adminPassword, start } from './support/server.mjs';
import { totp, wrongCode } from './support/totp.mjs';

const issuer = await startIssuer();
const server = await start({
  env: { RUST_LOG: 'trace' },
  auth: { providers: [{ id: 'acme', issuer: issuer.url, client_ids: [issuer.clientId] }] },
});
after(async () => {
  await server.stop();
  await issuer.close();
});

const secrets = new Map();
const keep = (name, value) => {
  assert.ok(value, name);
  secrets.set(name, value);
};
const keepSession = (name, { access_token, refresh_token }) => {
  keep(`${name}: access token`, access_token);
  keep(`${name}: refresh token`, refresh_token);
};
const keepMail = (name, { code, link }) => {
  keep(`${name}: code`, code);
  if (link) keep(`${name}: link token`, new URL(link).searchParams.get('token'));
};

async function signUpAndIn() {
  const email = server.address();
  const password = 'Walnut-Ferry-Kestrel-45';
  keep('address', email);
  keep('password', password);
  dataOf(await server.client().signUp({ email, password }));
  const mail = await server.mail.next(email);
  keepMail('sign-up', mail);
  dataOf(await server.client().verifyOtp({ email, token: mail.code, type: 'signup' }));
  const wrong = 'Another-Wrong-Guess-77';
  keep('wrong password', wrong);
  await server.client().signInWithPassword({ email, password: wrong });
  const client = await server.signIn({ email, password });
  keepSession('sign-in', client.session);
  keepSession('refresh', dataOf(await client.refreshSession()).session);
  return { client, email };
}

async function links(email) {
  dataOf(await server.client().signInWithOtp({ email }));
  const mail = await server.mail.next(email);
  keepMail('magic link', mail);
  const { location } = await confirmLink(mail.link);
  keep('fragment: access token', fragment(location).get('access_token'));
  keep('fragment: refresh token', fragment(location).get('refresh_token'));
  const verifier = 'v'.repeat(21) + 'erifier'.repeat(4);
  const body = { email, code_challenge: sha256(verifier, 'base64url'), code_challenge_method: 's256' };
  await server.call('POST', '/recover', { body });
  const recovery = await server.mail.next(email);
  keepMail('recovery', recovery);
  const code = (await confirmLink(recovery.link)).location.searchParams.get('code');
  keep('verifier', verifier);
  keep('code for the verifier', code);
  const exchange = { auth_code: code, code_verifier: verifier };
  const answer = await server.call('POST', '/token?grant_type=pkce', { body: exchange });
  keepSession('exchange', await answer.json());
}

async function secondFactor(client) {
  dataOf(await client.reauthenticate());
  keepMail('reauthentication', await server.mail.next(secrets.get('address')));
  const factor = dataOf(await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' }));
  const { secret } = factor.totp;
  keep('secret of the factor', secret);
  const wrong = wrongCode(secret);
  await client.mfa.challengeAndVerify({ factorId: factor.id, code: wrong });
  const code = totp(secret);
  keep('code of the factor', code);
  keepSession('second factor', dataOf(await client.mfa.challengeAndVerify({ factorId: factor.id, code })));
}

async function provider() {
  issuer.person = { sub: 'subject-of-the-log', email: server.address(), email_verified: true };
  keep('address at the provider', issuer.person.email);
  const landed = await followRedirects(server.site, `${server.url}/authorize?provider=acme`);
  keep('provider: access token', fragment(landed).get('access_token'));
  keep('provider: its own token', fragment(landed).get('provider_token'));
  keep('provider: its refresh token', fragment(landed).get('provider_refresh_token'));
  const token = issuer.token();
  keep('id_token', token);
  dataOf(await server.client().signInWithIdToken({ provider: 'acme', token }));
}

async function administration() {
  const { email, password } = await server.person();
  keep('address of a made user', email);
  keep('password of a made user', password);
  keep('password of the admin', adminPassword);
  const admin = await server.admin();
  const link = dataOf(await admin.generateLink({ type: 'recovery', email })).properties;
  keep('handed link', link.hashed_token);
  keep('handed code', link.email_otp);
}

test('the trace log contains no password, token, code or address', async () => {
  const { client, email } = await signUpAndIn();
  await links(email);
  await secondFactor(client);
  await provider();
  await administration();
  await server.stop();
  const log = Buffer.concat(server.log).toString();
  assert.match(log, /TRACE/, 'the log says all it can');
  for (const [name, secret] of secrets) {
    // Six digits may stand in a time's fraction by accident.
    const found = /^[0-9]{6}$/.test(secret)
      ? new RegExp(`(?<![.0-9])${secret}(?![0-9])`).test(log)
      : log.includes(secret);
    assert.ok(!found, `${name} is in the log`);
  }
});
