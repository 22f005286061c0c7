// Sessions on the admin page: signing in and out, renewal, several tabs, and the list of them.
import { anotherAdmin } from '../desk-helpers';
import { admin, expect, expectDashboard, signIn, test } from '../fixtures';

const key = 'guardpost.session';

test('both fields are required, and a wrong password shows the server’s message', async ({ page }) => {
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('This field is required')).toHaveCount(2);
  await expect(page.getByLabel('Email')).toBeFocused();
  await signIn(page, { ...admin, password: 'not the password' });
  await expect(page.getByText('Sign In Failed')).toBeVisible();
  await expect(page.getByText('Invalid login credentials')).toBeVisible();
});

test('the session survives a reload without a flash of the sign-in form, and signing out returns home', async ({
  page,
}) => {
  await signIn(page);
  await expect(page.getByText('Welcome back!')).toBeVisible();
  await expectDashboard(page);
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('[type="password"]')) document.documentElement.dataset.flash = 'yes';
    }).observe(document, { subtree: true, childList: true });
  });
  await page.reload();
  await expectDashboard(page);
  expect(await page.evaluate(() => document.documentElement.dataset.flash)).toBeUndefined();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('Signed out')).toBeVisible();
  await expect(page).toHaveURL('/');
  expect(await page.evaluate((name) => localStorage.getItem(name), key)).toBeNull();
});

test('an expired token is renewed before anything is shown, and a rejected one ends the session', async ({
  page,
}) => {
  await signIn(page);
  await expectDashboard(page);
  const change = (more: object) =>
    page.evaluate(
      ([name, changes]) => {
        const session = { ...JSON.parse(localStorage.getItem(name as string) ?? ''), ...(changes as object) };
        localStorage.setItem(name as string, JSON.stringify(session));
      },
      [key, more],
    );
  await change({ expires_at: 1 });
  await page.reload();
  await expectDashboard(page);
  const renewed = await page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? '').expires_at, key);
  expect(renewed).toBeGreaterThan(Date.now() / 1000);
  await change({ expires_at: 1, refresh_token: 'made-up-by-somebody-else' });
  await page.reload();
  await expect(page.getByLabel('Password')).toBeVisible();
});

test('two tabs sign out together', async ({ page, context }) => {
  await signIn(page);
  await expectDashboard(page);
  const other = await context.newPage();
  await other.goto('/admin');
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('You have been signed out. Sign in again.')).toBeVisible();
});

test('the account page shows this session and ends another', async ({ page, request, server }) => {
  await anotherAdmin(server, request);
  await signIn(page);
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  await page
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click();
  await expect(page.getByText('Session ended')).toBeVisible();
});
