// Changes by others while the dashboard is open: at once, in every tab by one stream, and no row
// moves.
import { createQuote, kim, openDesk, openDeskWithQuote, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('another dispatcher’s move is on the screen within 300 ms', async ({ page, request, server }) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  const { call } = await kim(server, request);
  await openDesk(page, place);
  await page.getByText('Alerts', { exact: true }).click();
  await expect(page.getByText('Live: changes appear at once.')).toBeVisible();
  await page.evaluate(() => {
    const badge = document.querySelector('.row .badge') as Element;
    new MutationObserver(() => {
      document.documentElement.dataset.moved = String(Date.now());
    }).observe(badge, { characterData: true, childList: true, subtree: true });
  });
  await call('PATCH', `inbox/${id}`, { status: 'in_progress' });
  const answered = Date.now();
  await expect(rowOf(page, place).locator('.badge')).toHaveText('in progress');
  const shown = Number(await page.evaluate(() => document.documentElement.dataset.moved));
  expect(shown - answered).toBeLessThan(300);
});

test('a new request waits behind a button at once, and no row moves', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request);
  const before = await rowOf(page, place).boundingBox();
  await createQuote(request, `${place.split(',')[0]}, LA`);
  await expect(page.getByRole('button', { name: '1 new request' })).toBeVisible({ timeout: 5000 });
  expect(await rowOf(page, place).boundingBox()).toEqual(before);
});

test('one tab reads the stream for all, and the next one takes over', async ({ page, context, request }) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  let streams = 0;
  context.on('request', (sent) => {
    if (sent.url().endsWith('/api/admin/live')) streams += 1;
  });
  await openDesk(page, place);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(rowOf(other, place)).toBeVisible();
  await other.getByText('Alerts', { exact: true }).click();
  await expect(other.getByText('Live: changes appear at once.')).toBeVisible();
  await page.waitForTimeout(300);
  const before = streams;
  await createQuote(request, `${place.split(',')[0]}, LA`);
  for (const tab of [page, other])
    await expect(tab.getByRole('button', { name: '1 new request' })).toBeVisible({ timeout: 5000 });
  expect(streams).toBe(before);
  await page.close();
  await createQuote(request, `${place.split(',')[0]}, OK`);
  await expect(other.getByRole('button', { name: '2 new requests' })).toBeVisible({ timeout: 5000 });
  expect(streams).toBe(before + 1);
});

test('a person is shown until the last of their tabs has closed the request', async ({
  page,
  context,
  browser,
  request,
  server,
  baseURL,
}) => {
  const id = await createQuote(request, uniqueLocation());
  const { account } = await kim(server, request);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  const theirs = await browser.newContext({ baseURL: baseURL as string });
  const kims = await theirs.newPage();
  await signIn(kims, account);
  await expectDashboard(kims);
  await kims.goto(`/admin?request=${id}`);
  const shown = kims.getByText('dispatch has this open');
  await expect(shown).toBeVisible();
  const other = await context.newPage();
  await other.goto('/admin');
  await expectDashboard(other);
  await other.locator('.row-link').first().focus();
  await expect(shown).toBeVisible();
  await other.goto(`/admin?request=${id}`);
  await expect(other.getByText('kim has this open')).toBeVisible();
  // The first tab held the stream: the other one takes over and reports its presence again.
  await page.close();
  await other.getByText('Alerts', { exact: true }).click();
  await expect(other.getByText('Live: changes appear at once.')).toBeVisible();
  await expect(shown).toBeVisible();
  await other.goto('/admin');
  await expect(shown).toHaveCount(0);
  await theirs.close();
});

test('who has a request open is shown to the others', async ({ page, browser, request, server, baseURL }) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  const { account } = await kim(server, request);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  await expect(page.getByRole('complementary')).toContainText(place);
  const theirs = await browser.newContext({ baseURL: baseURL as string });
  const other = await theirs.newPage();
  await signIn(other, account);
  await expectDashboard(other);
  await other.goto(`/admin?request=${id}`);
  await expect(page.getByText('kim has this open')).toBeVisible();
  await expect(other.getByText('dispatch has this open')).toBeVisible();
  await theirs.close();
  await expect(page.getByText('kim has this open')).toHaveCount(0);
});
