// The inbox: by mouse, by keyboard alone, with another dispatcher, with new requests, offline.
import {
  anotherAdmin,
  createQuote,
  openDesk,
  openDeskWithQuote,
  rowOf,
  uniqueLocation,
  urgent,
} from '../desk-helpers';
import { expect, signIn, test } from '../fixtures';

test('each row shows the name at every width', async ({ page, request }) => {
  const location = uniqueLocation();
  await createQuote(request, location);
  await openDesk(page, location);
  for (const width of [390, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(rowOf(page, location).getByText('Marta Núñez')).toBeVisible();
  }
});

test('a request is accepted, completed, and offers nothing more', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request, urgent);
  const row = rowOf(page, place);
  await expect(row.getByText('Call now')).toBeVisible();
  await row.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('Quote status changed to in_progress.')).toBeVisible();
  await expect(row.getByText('in progress')).toBeVisible();
  await row.getByRole('button', { name: 'Complete' }).click();
  await expect(page.getByText('Quote status changed to completed.')).toBeVisible();
  await expect(row.getByRole('button', { name: /Accept|Reject|Complete/ })).toHaveCount(0);
});

test('the first of two dispatchers wins, and the row of the other shows the current status', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  // Without live changes, the row still shows the old state.
  await page.route('**/api/admin/live', (route) => route.abort());
  await openDesk(page, place);
  await (await anotherAdmin(server, request))(id, 'cancelled');
  await rowOf(page, place).getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('Failed to update quote status.')).toBeVisible();
  await expect(page.getByText('Another dispatcher already took this: it is cancelled now.')).toBeVisible();
  await expect(rowOf(page, place).locator('.badge')).toHaveText('cancelled');
});

test('new requests wait behind a button and no row moves', async ({ page, request }) => {
  const first = uniqueLocation();
  const word = first.split(',')[0] ?? '';
  await createQuote(request, first);
  await page.clock.install();
  await openDesk(page, first);
  await createQuote(request, `${word}, LA`);
  await page.clock.runFor(21_000);
  const news = page.getByRole('button', { name: '1 new request' });
  await expect(news).toBeVisible();
  await expect(page.locator('.row')).toHaveCount(1);
  // An emergency of another test has the title too.
  await expect(page).toHaveTitle(/^\([0-9]+\) /);
  await news.click();
  await expect(page.locator('.row').first()).toContainText(`${word}, LA`);
  await expect(page.locator('.row-link').first()).toBeFocused();
});

test('the keyboard alone operates the queue, and typing triggers no shortcut', async ({ page, request }) => {
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  await createQuote(request, place);
  await createQuote(request, `${word}, LA`);
  await openDesk(page, place);
  const link = page.locator('.row-link');
  const badge = page.locator('.row .badge');
  await page.keyboard.press('j');
  await expect(link.first()).toBeFocused();
  await page.keyboard.press('a');
  await expect(badge.first()).toHaveText('in progress');
  await expect(link.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(link.nth(1)).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByText('Press r again to reject.')).toBeVisible();
  await expect(badge.nth(1)).toHaveText('pending');
  await page.keyboard.press('r');
  await expect(badge.nth(1)).toHaveText('cancelled');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Marta Núñez' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(link.first()).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('accra rack');
  await expect(page.getByText('No quote requests found.')).toBeVisible();
  await expect(page.getByLabel('Search requests')).toHaveValue('accra rack');
});

test('single keys can be switched off', async ({ page, request }) => {
  await openDeskWithQuote(page, request);
  await page.keyboard.press('?');
  await page.getByLabel('Use single keys on this computer').uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.row-link').first().focus();
  await page.keyboard.press('a');
  await page.reload();
  await expect(page.locator('.row .badge').first()).toHaveText('pending');
});

test('offline, the list stays with its age; a server error is reported', async ({
  page,
  request,
  context,
}) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  await page.clock.install();
  await openDesk(page, place);
  await context.setOffline(true);
  await page.clock.runFor(21_000);
  await expect(page.getByText(/You are offline\. This is the list of/)).toBeVisible();
  await expect(rowOf(page, place)).toBeVisible();
  await context.setOffline(false);
  await page.clock.runFor(21_000);
  await expect(page.getByText(/You are offline/)).toHaveCount(0);
  await page.route('**/api/admin/inbox**', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.locator('.views a').nth(2).click();
  await expect(page.getByText('Failed to fetch quotes. Please try again.')).toBeVisible();
});

test('call clicks are shown beside the queue', async ({ page, request }) => {
  for (const path of ['/fire-watch', '/fire-watch', '/contact']) {
    expect((await request.post('/api/taps', { data: { page: path } })).status()).toBe(204);
  }
  await signIn(page);
  const clicks = page.locator('details.call-clicks');
  await clicks.getByText(/[0-9]+ call clicks in 30 days/).click();
  await expect(clicks.getByRole('listitem').filter({ hasText: '/fire-watch' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(clicks.getByRole('listitem').first()).toBeHidden();
});

test('a notice that the list is old or incomplete moves no row', async ({ page, context, request }) => {
  const place = await openDeskWithQuote(page, request);
  await expect(page.locator('.stale')).toBeEmpty();
  const before = await rowOf(page, place).boundingBox();
  await context.setOffline(true);
  await expect(page.locator('.stale')).toContainText('You are offline');
  await expect(page.locator('.stale')).toBeInViewport();
  expect(await rowOf(page, place).boundingBox()).toEqual(before);
});

test('a new request moves no row', async ({ page, request }) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  await page.clock.install();
  await openDesk(page, place);
  const before = await rowOf(page, place).boundingBox();
  await createQuote(request, `${place.split(',')[0]}, LA`);
  await page.clock.runFor(21_000);
  await expect(page.getByRole('button', { name: '1 new request' })).toBeVisible();
  expect(await rowOf(page, place).boundingBox()).toEqual(before);
});
