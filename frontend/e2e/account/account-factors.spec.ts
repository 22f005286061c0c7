// A second factor: set up, asked for, replaced by a recovery code, removed, and required.
import { start } from '../../scripts/test-server.mjs';
import { stepNow, totp } from '../../tests/auth/support/totp.mjs';
import { expect, expectDashboard, signIn, test } from '../fixtures';
import { checkLayout } from '../layout-checks';
import { createAdmin, password, signOut } from './account-helpers';

test('a second factor is set up, asked for, replaced by a recovery code, and removed', async ({
  page,
  server,
}) => {
  const email = createAdmin(server);
  await signIn(page, { email, password });
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const drawn = page.getByAltText('QR code that holds the secret below');
  expect(
    await drawn.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0);
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Six-digit code').fill(totp(secret));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByRole('heading', { name: 'Keep these recovery codes' })).toBeVisible();
  const [recovery = ''] = await page.locator('.codes li').allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await signOut(page);

  await signIn(page, { email, password });
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  // The field has the focus, and six digits send themselves.
  await expect(page.getByLabel('Six-digit code')).toBeFocused();
  await page.keyboard.type('000000');
  await expect(page.getByText('This code is wrong or has expired')).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(totp(secret, stepNow() + 1));
  await expectDashboard(page);
  await signOut(page);

  await signIn(page, { email, password });
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('Second factor removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set up a second factor' })).toBeVisible();
});

test('a second factor is set up after any number of abandoned enrollments', async ({ page, server }) => {
  const email = createAdmin(server);
  await signIn(page, { email, password });
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  const begin = async () => {
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await expect(page.locator('.secret')).toBeVisible();
  };
  for (let starts = 0; starts < 11; starts += 1) {
    await begin();
    await page.reload();
  }
  await begin();
  // The same screen in another tab takes this one's place: the first starts over.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Set up a second factor' }).click();
  await expect(other.locator('.secret')).toBeVisible();
  await other.close({ runBeforeUnload: false });
  const shown = async () => ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
  const stale = await shown();
  await page.getByLabel('Six-digit code').fill(totp(stale));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByText('That code has expired')).toBeVisible();
  await expect.poll(shown).not.toBe(stale);
  await page.getByLabel('Six-digit code').fill(totp(await shown()));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByRole('heading', { name: 'Keep these recovery codes' })).toBeVisible();
});

test('with required factors, an admin without one sets it up before anything else', async ({ browser }) => {
  const strict = await start('debug', { ...process.env, GUARDPOST_AUTH__REQUIRE_FACTOR: 'true' });
  const context = await browser.newContext({ baseURL: strict.url });
  const page = await context.newPage();
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await checkLayout(page, 'a factor is demanded');
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Six-digit code').fill(totp(secret));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await context.close();
  await strict.stop();
});
