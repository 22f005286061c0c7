// A separate server for each test: other tests have other emergencies.
import type { Page } from '@playwright/test';
import { start } from '../scripts/test-server.mjs';
import { record } from './alert-recorder';
import { admin, expect, expectDashboard, test as shared, signIn, TestServer } from './fixtures';

export const test = shared.extend<{ own: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other names none
  own: async ({}, use) => {
    const { url, data, stop } = await start('debug', {
      ...process.env,
      GUARDPOST_SERVER__TRUSTED_PROXIES: '["127.0.0.0/8"]',
    });
    await use(new TestServer(url, data));
    await stop();
  },
  baseURL: ({ own }, use) => use(own.url),
});

/** Signs in with a record of the alerts, and switches the sound on. */
export async function openWithSound(page: Page, account = admin) {
  await record(page, 'granted');
  await signIn(page, account);
  await expectDashboard(page);
  await expect(page.getByText('Sound is off.')).toBeVisible();
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await expect(page.getByText('No emergency waits. Sound is on.')).toBeVisible();
}
