// A running product for each worker: the real binary on a free port with a folder of its own, an admin, and visitors whose addresses differ.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';

const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target');
const binary = join(target, 'debug/guardpost');

export const admin = { email: 'dispatch@guardpost.example', password: 'correct-horse-lantern-42' };

export class Product {
  constructor(
    readonly url: string,
    readonly data: string,
    private readonly process: ChildProcess,
    private readonly settings: NodeJS.ProcessEnv,
  ) {}

  /** Runs a command of the binary on this product's folder; gives what it prints. */
  command(args: string[], input = ''): string {
    return execFileSync(binary, [...args, '--data', this.data], {
      env: this.settings,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** The mails written so far, oldest first. */
  mails(): string[] {
    const folder = join(this.data, 'mail');
    return readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'));
  }

  /** Waits for a mail that holds `text`. */
  async mail(text: string): Promise<string> {
    await expect.poll(() => this.mails().some((mail) => mail.includes(text)), { timeout: 15_000 }).toBe(true);
    return this.mails().find((mail) => mail.includes(text)) ?? '';
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGTERM');
    await ended;
    rmSync(this.data, { recursive: true, force: true });
  }
}

async function start(): Promise<Product> {
  const data = mkdtempSync(join(tmpdir(), 'guardpost-browser-'));
  const settings = { ...process.env, GUARDPOST_SERVER__TRUSTED_PROXIES: '["127.0.0.0/8"]' };
  const server = spawn(binary, ['serve', '--listen', '127.0.0.1:0', '--data', data], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((found, failed) => {
    let said = '';
    server.once('exit', (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /http:\/\/127\.0\.0\.1:[1-9][0-9]*/.exec(said)?.[0];
      if (address) found(address);
    });
  });
  const product = new Product(url, data, server, settings);
  product.command(['create-admin', '--email', admin.email, '--password-stdin'], `${admin.password}\n`);
  return product;
}

let visitors = 0;

export const test = base.extend<{ visitor: string }, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other names none
    async ({}, use) => {
      const product = await start();
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ product }, use) => use(product.url),
  // Each test is a visitor of its own: the form limits count by address.
  visitor: [
    async ({ context }, use, info) => {
      visitors += 1;
      const address = `198.51.${info.workerIndex % 250}.${visitors % 250}`;
      await context.setExtraHTTPHeaders({ 'X-Forwarded-For': address });
      await use(address);
    },
    { auto: true },
  ],
});

export { expect };

/** Fails the test at its end on anything the page complained of on the console, save what `allowed` matches. */
export function quiet(page: Page, allowed: RegExp[] = []): () => void {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !allowed.some((pattern) => pattern.test(message.text())))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return () => expect(complaints).toEqual([]);
}

/** Fills the quote form with what nobody could refuse. */
export async function fillQuote(page: Page, changes: Record<string, string> = {}): Promise<void> {
  const values: Record<string, string> = {
    firstName: 'Marta',
    lastName: 'O’Brien',
    email: 'marta@property.example',
    phone: '(713) 555-0188',
    company: 'Bayou Lofts',
    location: 'Houston, TX',
    startDate: '2026-12-01',
    description: 'Panel is down on floors 3 to 9',
    ...changes,
  };
  for (const [name, value] of Object.entries(values)) await page.locator(`form [name="${name}"]`).fill(value);
  await page.locator('form [name="serviceType"]').selectOption('fire-watch');
  await page.locator('form [name="duration"]').selectOption('1-week');
}
