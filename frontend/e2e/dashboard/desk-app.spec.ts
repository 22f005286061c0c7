// The installable dashboard: its service worker serves only /admin, and keeps the shell and no
// data.
import { expect, expectDashboard, signIn, test } from '../fixtures';

test.use({ serviceWorkers: 'allow' });

test('the installed desk opens offline, keeps no data, and leaves the public site alone', async ({
  page,
  context,
  request,
}) => {
  const manifest = await (await request.get('/admin.webmanifest')).json();
  expect(manifest.scope).toBe('/admin');
  await signIn(page);
  await expectDashboard(page);
  await expect(page.locator('link[rel="manifest"]')).toHaveAttribute('href', '/admin.webmanifest');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.reload();
  await expectDashboard(page);
  const kept = await page.evaluate(async () => {
    const cache = await caches.open('guardpost-admin-shell');
    return (await cache.keys()).map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain('/admin');
  expect(kept.filter((path) => /^\/(api|auth)\//.test(path))).toEqual([]);
  await context.setOffline(true);
  await page.goto('/admin?view=attention');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await context.setOffline(false);
  await page.goto('/');
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
});
