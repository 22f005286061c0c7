// Helpers of the account tests: admins with a known password, the list of users, emailed links.
import type { Page } from '@playwright/test';
import { expect, expectDashboard, signIn, type TestServer } from '../fixtures';

/** The password of every admin made here. */
export const password = 'a lantern for gate forty';

/** An address that no other test uses. */
let people = 0;
export function uniqueEmail(): string {
  people += 1;
  return `somebody-${process.pid}-${people}@guardpost.example`;
}

/** Makes an admin with a known password. */
export function createAdmin(server: TestServer): string {
  const email = uniqueEmail();
  server.command(['create-admin', '--email', email, '--password-stdin'], `${password}\n`);
  return email;
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');
}

/** Signs in as the first admin and opens the list of users. */
export async function openUsers(page: Page) {
  await signIn(page);
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Users' }).click();
}

/** A user's line in the list of users. */
export const userRow = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email });

/** The link in the newest mail to an address, of a type. */
export async function emailLink(server: TestServer, email: string, type: string): Promise<string> {
  const links = () =>
    server
      .emails()
      .filter((mail) => new RegExp(`^To: .*${email}`, 'm').test(mail))
      .map((mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
      .map((mail) => /https?:\/\/[^\s"<]+\/auth\/v1\/verify\?[^\s"<]+/.exec(mail)?.[0] ?? '')
      .filter((link) => link.includes(`type=${type}`));
  await expect.poll(() => links().length).toBeGreaterThan(0);
  return new URL((links().at(-1) ?? '').replaceAll('&amp;', '&')).href;
}

/** Opens a mail's link and presses its button. */
export async function confirmLink(page: Page, server: TestServer, link: string) {
  const { pathname, search } = new URL(link);
  await page.goto(`${server.url}${pathname}${search}`);
  await page.getByRole('button').first().click();
}
