// Fixtures: per worker a server of the real binary with its own port, data folder and admin; per
// test its own client IP.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { admin, binaryOf, signIn, start } from '../scripts/test-server.mjs';

export { admin, expect, signIn };

/**
 * Client addresses come from X-Forwarded-For. The tests of one worker send more requests in ten
 * minutes than the office gets separate emails for.
 */
const settings = {
  ...process.env,
  GUARDPOST_SERVER__TRUSTED_PROXIES: '["127.0.0.0/8"]',
  GUARDPOST_MAIL__SINGLE_NOTICES: '1000',
};

export class TestServer {
  constructor(
    readonly url: string,
    readonly data: string,
  ) {}

  /** Runs a command of the binary on this server's data folder; returns its output. */
  command(args: string[], input = ''): string {
    return execFileSync(binaryOf('debug'), [...args, '--data', this.data], {
      env: settings,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** The emails written so far, oldest first. */
  emails(): string[] {
    const folder = join(this.data, 'mail');
    return readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'));
  }

  /** Waits for an email that contains `text`. */
  async waitForEmail(text: string): Promise<string> {
    await expect.poll(() => this.emails().some((mail) => mail.includes(text))).toBe(true);
    return this.emails().find((mail) => mail.includes(text)) ?? '';
  }
}

let visitors = 0;

export const test = base.extend<{ visitor: string }, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other names none
    async ({}, use) => {
      const { url, data, stop } = await start('debug', settings);
      await use(new TestServer(url, data));
      await stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.url),
  // Each test is a separate visitor: the form limits count by address.
  visitor: [
    async ({ context }, use, info) => {
      visitors += 1;
      const address = `198.51.${info.workerIndex % 250}.${visitors % 250}`;
      await context.setExtraHTTPHeaders({ 'X-Forwarded-For': address });
      await use(address);
    },
    { auto: true },
  ],
  // Tests are faster than visitors: a document is used after its code has loaded, which is after
  // the load event.
  page: async ({ page, javaScriptEnabled }, use) => {
    const open = page.goto.bind(page);
    const reload = page.reload.bind(page);
    if (javaScriptEnabled !== false) {
      page.goto = (...of) => open(...of).then((answer) => waitForCode(page, answer));
      page.reload = (...of) => reload(...of).then((answer) => waitForCode(page, answer));
    }
    await use(page);
  },
});

/** Waits until the page's code follows its links (see `followLinks`), where it has any. */
async function waitForCode<T>(page: Page, answer: T): Promise<T> {
  await page.waitForFunction(
    () => !document.querySelector('[data-code]') || history.scrollRestoration === 'manual',
  );
  return answer;
}

/** Returns a check that no console error was logged, except those that `allowed` matches. */
export function failOnConsoleErrors(page: Page, allowed: RegExp[] = []): () => void {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !allowed.some((pattern) => pattern.test(message.text())))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return () => expect(errors).toEqual([]);
}

/** The dashboard is there. */
export async function expectDashboard(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
}

/** Fills fields of the page's form by their names. */
export async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`form [name="${name}"]`).fill(value);
}

/** Fills the quote form with valid values. */
export async function fillQuote(page: Page, changes: Record<string, string> = {}): Promise<void> {
  await fill(page, {
    firstName: 'Marta',
    lastName: 'O’Brien',
    email: 'marta@property.example',
    phone: '(713) 555-0188',
    company: 'Bayou Lofts',
    location: 'Houston, TX',
    startDate: '2099-12-01',
    description: 'Panel is down on floors 3 to 9',
    ...changes,
  });
  await page.locator('form [name="serviceType"]').selectOption('fire-watch');
  await page.locator('form [name="duration"]').selectOption('1-week');
}

/** Sends the page's form. */
export async function send(page: Page): Promise<void> {
  await page.locator('form.form button[type="submit"]').click();
}
