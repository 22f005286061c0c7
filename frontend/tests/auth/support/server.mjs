// A running `guardpost serve` for one test file: a free port, a separate data folder, ended by
// its pid. GUARDPOST_BIN names the binary; without it the one that `cargo build` made is taken.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AuthClient, GoTrueAdminApi } from '@supabase/auth-js';
import { Mailbox } from './mail.mjs';
import { memoryStorage } from './storage.mjs';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const binary =
  process.env.GUARDPOST_BIN ??
  [join(target, 'debug/guardpost'), join(target, 'release/guardpost')].find(existsSync);

export const adminPassword = 'Plover-Harbour-91-Quill';

/** Limits that no ordinary test should feel; the tests of the limits themselves ask for others. */
const unlimited = {
  api_per_minute: 1_000_000,
  sign_in_per_minute: 1_000_000,
  account_failures_per_hour: 1_000,
  mail_interval_seconds: 0,
};

const toml = (value) => {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${key} = ${toml(inner)}`)
      .join(', ')} }`;
  }
  return JSON.stringify(value);
};

const settings = (sections) =>
  Object.entries(sections)
    .map(([name, keys]) => {
      const lines = Object.entries(keys).map(([key, value]) => `${key} = ${toml(value)}`);
      return [`[${name}]`, ...lines, ''].join('\n');
    })
    .join('\n');

/**
 * Starts a server with these settings over the unlimited ones, in this environment, and makes its
 * first admin by the command.
 */
export async function start({ auth = {}, limits = {}, env = {}, ...others } = {}) {
  if (!binary) throw new Error('no guardpost binary: run `cargo build`, or set GUARDPOST_BIN');
  const folder = mkdtempSync(join(tmpdir(), 'guardpost-auth-'));
  const data = join(folder, 'data');
  const config = join(folder, 'config.toml');
  writeFileSync(
    config,
    settings({ auth: { signup: true, ...auth }, limits: { ...unlimited, ...limits }, ...others }),
  );
  const place = ['--config', config, '--data', data];
  const made = spawnSync(
    binary,
    ['create-admin', '--email', 'admin@guard.example', '--password-stdin', ...place],
    { input: `${adminPassword}\n`, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`create-admin: ${made.stderr}`);
  const child = spawn(binary, ['serve', '--listen', '127.0.0.1:0', ...place], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const log = [];
  child.stderr.on('data', (chunk) => log.push(chunk));
  const site = await announced(child, log);
  return new Server({ child, folder, data, site, log });
}

function announced(child, log) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^\s*Site\s+(\S+?)\/?$/.exec(line);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) =>
      reject(new Error(`serve ended with ${code}: ${Buffer.concat(log).toString()}`)),
    );
  });
}

let people = 0;

class Server {
  constructor({ child, folder, data, site, log }) {
    this.child = child;
    this.folder = folder;
    this.data = data;
    this.site = site;
    this.log = log;
    this.url = `${site}/auth/v1`;
    this.mail = new Mailbox(join(data, 'mail'));
  }

  /**
   * The unmodified client, with its own memory in place of the browser's. `events` collects what it
   * emits.
   */
  client(options = {}) {
    const storage = options.storage ?? memoryStorage();
    const client = new AuthClient({
      url: this.url,
      storage,
      autoRefreshToken: false,
      ...options,
    });
    client.events = [];
    client.memory = storage;
    client.onAuthStateChange((event, session) => {
      if (event !== 'INITIAL_SESSION') client.events.push({ event, session });
    });
    return client;
  }

  /** A client signed in as `person`. */
  async signIn(person, options = {}) {
    const client = this.client(options);
    const { data, error } = await client.signInWithPassword(person);
    if (error) throw error;
    return Object.assign(client, { session: data.session });
  }

  /** The admin interface of the client, with the first admin's access token. */
  async admin() {
    if (!this.asAdmin) {
      const client = await this.signIn({ email: 'admin@guard.example', password: adminPassword });
      this.asAdmin = this.adminWith(client.session.access_token);
      this.adminUser = client.session.user;
    }
    return this.asAdmin;
  }

  adminWith(token) {
    return new GoTrueAdminApi({ url: this.url, headers: { Authorization: `Bearer ${token}` } });
  }

  /** A new confirmed account with a password; what a test needs to begin. */
  async person(attributes = {}) {
    people += 1;
    const email = `person-${process.pid}-${people}@example.com`;
    const password = `Walnut-Ferry-${people}-Kestrel`;
    const admin = await this.admin();
    const { data, error } = await admin.createUser({ email, password, email_confirm: true, ...attributes });
    if (error) throw error;
    return { email, password, id: data.user.id };
  }

  /** An unused address. */
  address() {
    people += 1;
    return `stranger-${process.pid}-${people}@example.com`;
  }

  /** A bare request: what the client would not send. */
  call(method, path, { body, token, headers = {}, ...options } = {}) {
    const all = {
      ...(body === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
      'x-supabase-api-version': '2024-01-01',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    };
    return fetch(this.url + path, {
      method,
      headers: all,
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
      ...options,
    });
  }

  /** Ends the server by its pid and removes its folder. */
  async stop() {
    if (this.child.exitCode === null) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
