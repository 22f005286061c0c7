import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertError, assertErrorResponse, assertSession, dataOf, eventNames } from './support/expect.mjs';
import { start } from './support/server.mjs';
import { ethereumWallet, solanaWallet } from './support/wallets.mjs';

const server = await start({ auth: { web3: { ethereum: true, solana: true } } });
after(() => server.stop());
const host = new URL(server.site).host;
const call = (body, on = server) => on.call('POST', '/token?grant_type=web3', { body });

/** A message for our site by `wallet`, with lines changed. */
const text = (wallet, changes = {}) => {
  const parts = {
    domain: host,
    uri: `${server.site}/admin`,
    issued: new Date().toISOString(),
    more: '',
    ...changes,
  };
  return `${parts.domain} wants you to sign in with your Ethereum account:\n${wallet.address}\n\nSign in.\n\nURI: ${parts.uri}\nVersion: 1\nChain ID: 1\nNonce: ${Math.random().toString(36).slice(2, 12)}0\nIssued At: ${parts.issued}${parts.more}`;
};
const byEthereum = (wallet, changes) => {
  const message = text(wallet, changes);
  return { chain: 'ethereum', message, signature: wallet.signed(message) };
};

test('an Ethereum wallet signs in to the same account each time', async () => {
  const wallet = ethereumWallet();
  const options = { url: server.site };
  const client = server.client();
  const first = dataOf(
    await client.signInWithWeb3({ chain: 'ethereum', wallet, statement: 'Sign in.', options }),
  );
  assertSession(first.session);
  assert.deepEqual(eventNames(client), ['SIGNED_IN']);
  assert.equal(first.user.email, '');
  assert.equal(first.user.identities[0].id, `web3:ethereum:${wallet.address}`);
  const again = dataOf(await server.client().signInWithWeb3({ chain: 'ethereum', wallet, options }));
  assert.equal(again.user.id, first.user.id);
});

test('a Solana wallet signs in', async () => {
  const wallet = solanaWallet();
  const client = server.client();
  const { user, session } = dataOf(
    await client.signInWithWeb3({
      chain: 'solana',
      wallet,
      statement: 'Sign in.',
      options: { url: server.site },
    }),
  );
  assertSession(session);
  assert.equal(user.identities[0].id, `web3:solana:${wallet.address}`);
});

test('a message works once', async () => {
  const body = byEthereum(ethereumWallet());
  assert.equal((await call(body)).status, 200);
  await assertErrorResponse(await call(body), 400, 'invalid_credentials');
});

test('a message for another site, time or signer is rejected', async () => {
  const wallet = ethereumWallet();
  const minutes = (count) => new Date(Date.now() + count * 60_000).toISOString();
  const good = byEthereum(wallet);
  for (const [why, body] of Object.entries({
    domain: byEthereum(wallet, { domain: 'evil.example' }),
    uri: byEthereum(wallet, { uri: 'https://evil.example/' }),
    port: byEthereum(wallet, { domain: '127.0.0.1:1' }),
    old: byEthereum(wallet, { issued: minutes(-11) }),
    early: byEthereum(wallet, { issued: minutes(11) }),
    expired: byEthereum(wallet, { more: `\nExpiration Time: ${minutes(-1)}` }),
    'not yet': byEthereum(wallet, { more: `\nNot Before: ${minutes(1)}` }),
    'another hand': { ...good, signature: ethereumWallet().signed(good.message) },
    'another text': { ...good, message: good.message.replace('Sign in.', 'Pay up!!') },
  })) {
    const answer = await call(body);
    const { code } = await answer.json();
    assert.deepEqual([answer.status, code], [400, 'invalid_credentials'], why);
  }
});

test('an invalid message or signature is malformed', async () => {
  const good = byEthereum(ethereumWallet());
  for (const body of [
    { ...good, message: 'x'.repeat(63) },
    { ...good, message: 'x'.repeat(100) },
    { ...good, message: 'x'.repeat(20_481) },
    { ...good, signature: '0x00' },
    { ...good, signature: '' },
    { chain: 'ethereum' },
  ]) {
    await assertErrorResponse(await call(body), 400, 'validation_failed');
  }
});

test('unsupported chains are rejected', async () => {
  const good = byEthereum(ethereumWallet());
  await assertErrorResponse(await call({ ...good, chain: 'dogecoin' }), 400, 'web3_unsupported_chain');
  await assertErrorResponse(await call({ message: good.message }), 400, 'web3_unsupported_chain');
});

test('wallets are disabled by default', async () => {
  const plain = await start();
  try {
    const wallet = solanaWallet();
    const outcome = await plain
      .client()
      .signInWithWeb3({ chain: 'solana', wallet, options: { url: plain.site } });
    assertError(outcome, 422, 'web3_provider_disabled');
  } finally {
    await plain.stop();
  }
});
