// Starts the built binary for scripts and browser tests: a free port, a temporary folder, an admin,
// and the path of the system's Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target');

export const admin = { email: 'dispatch@guardpost.example', password: 'correct-horse-lantern-42' };

// The headless shell is the same browser without the parts that draw windows
// (docs/decisions.md).
export const chromium = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find(existsSync);

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The binary of a build, `debug` or `release`. */
export const binaryOf = (build) => join(target, build, 'guardpost');

/**
 * Starts a build with `env`, on a new folder that `prepare` may fill first. It raises no weekly
 * test alarm: for an hour a week, tests would find one more alarm than they raise.
 */
export async function start(build, env = process.env, prepare = (_data) => {}) {
  const binary = binaryOf(build);
  const data = mkdtempSync(join(tmpdir(), 'guardpost-'));
  prepare(data);
  execFileSync(binary, ['create-admin', '--email', admin.email, '--password-stdin', '--data', data], {
    input: `${admin.password}\n`,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const server = spawn(binary, ['serve', '--listen', '127.0.0.1:0', '--data', data], {
    env: { GUARDPOST_ALARMS__TEST: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  return { url: await addressOf(server), data, stop };
}

/**
 * Signs in on the dashboard: of the page's base URL, or of `address`.
 * @param {import('@playwright/test').Page} page
 */
export async function signIn(page, { email, password } = admin, address = '') {
  await page.goto(`${address}/admin`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/**
 * Runs `work` with the address of a running product of this build that holds the demo quotes, or
 * what `seed` makes.
 */
export async function withServer(build, work, seed = ['seed-demo']) {
  const server = await start(build, { ...process.env, RUST_LOG: 'error' }, (data) =>
    execFileSync(binaryOf(build), [...seed, '--data', data], { stdio: 'ignore' }),
  );
  try {
    await work(server.url);
  } finally {
    await server.stop();
  }
}

function addressOf(server) {
  return new Promise((found, failed) => {
    let said = '';
    server.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
    server.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const address = /http:\/\/127\.0\.0\.1:[1-9][0-9]*/.exec(said)?.[0];
      if (address) found(address);
    });
  });
}
