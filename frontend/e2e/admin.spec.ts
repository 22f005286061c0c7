// The admin page in its states, and the desk: by mouse, by keyboard alone, on a phone, with another
// dispatcher, offline.
import {
  anotherAdmin,
  createMessage,
  createQuote,
  openDesk,
  rowOf,
  spam,
  uniqueLocation,
} from './desk-helpers';
import { admin, expect, expectDashboard, signIn, test } from './fixtures';
import { checkLayout } from './layout-checks';

const key = 'guardpost.session';

test('each row shows the name at every width', async ({ page, request }) => {
  const location = uniqueLocation();
  await createQuote(request, location);
  await openDesk(page, location);
  for (const width of [390, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(rowOf(page, location).getByText('Marta Núñez')).toBeVisible();
  }
});

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

test('a request is accepted, completed, and offers nothing more', async ({ page, request }) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  await openDesk(page, place);
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
  // Without live changes, the row still shows what was.
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
  await expect(page).toHaveTitle(/^\(1\) /);
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
  const place = uniqueLocation();
  await createQuote(request, place);
  await openDesk(page, place);
  await page.keyboard.press('?');
  await page.getByLabel('Use single keys on this computer').uncheck();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.row-link').first().focus();
  await page.keyboard.press('a');
  await page.reload();
  await expect(page.locator('.row .badge').first()).toHaveText('pending');
});

test('a link opens one request with all its details', async ({ page, request }) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?quote=${id}`);
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText(place);
  await expect(panel).toContainText('Panel is down');
  await expect(panel).toContainText('a-campaign');
  await expect(panel.getByRole('link', { name: '(713) 555-0188' })).toHaveAttribute(
    'href',
    'tel:+17135550188',
  );
  await expect(panel.getByRole('link', { name: 'marta@property.example' })).toHaveAttribute(
    'href',
    'mailto:marta@property.example',
  );
  await page.goto('/admin?quote=0192f0c1-2345-7000-8000-000000000000');
  await expect(page.getByText('There is no such request.')).toBeVisible();
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
  await page.locator('.filters a').last().click();
  await expect(page.getByText('Failed to fetch quotes. Please try again.')).toBeVisible();
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
  const place = uniqueLocation();
  await createQuote(request, place);
  await openDesk(page, place);
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

/** The views of the dashboard with content, in parts, so that several workers share them. */
const layouts = [
  ['/admin', '/admin?quote=:quote', '/admin?q=nothingofthekind', '/admin?view=attention'],
  [
    '/admin?view=messages&request=:message',
    '/admin?view=messages&service=fire-watch&state=TX&assignee=me&overdue=true',
    '/admin?view=everything',
    '/admin?view=held&request=:held',
  ],
  ['/admin?view=account', '/admin?view=users'],
];

for (const [part, addresses] of layouts.entries()) {
  test(`no view of the dashboard has an accessibility violation or scrolls sideways (part ${part + 1})`, async ({
    page,
    request,
  }) => {
    test.setTimeout(300_000);
    const ids = {
      ':quote': await createQuote(request, uniqueLocation()),
      ':message': await createMessage(request, 'The gate is stuck open.'),
      ':held': await createQuote(request, uniqueLocation(), spam),
    };
    await signIn(page);
    await expectDashboard(page);
    for (const address of addresses) {
      await page.goto(Object.entries(ids).reduce((path, [name, id]) => path.replace(name, id), address));
      await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
      await expect(page.getByText('Loading')).toHaveCount(0);
      await checkLayout(page, address);
    }
  });
}

test('no form and no menu of the dashboard has an accessibility violation', async ({ page, request }) => {
  test.setTimeout(300_000);
  await request.post('/api/taps', { data: { page: '/contact' } });
  await page.goto('/admin?view=forgotten');
  await expect(page.getByLabel('Email')).toBeVisible();
  await checkLayout(page, 'forgotten');
  const place = uniqueLocation();
  await createQuote(request, place);
  await openDesk(page, place);
  await page.keyboard.press('j');
  for (const [key, label] of [
    ['e', 'Subject'],
    ['l', 'Reached'],
    ['n', 'Note'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('complementary').getByLabel(label)).toBeFocused();
    await checkLayout(page, label);
    await page.keyboard.press('Escape');
  }
  await page.goto('/admin');
  await page.locator('details.call-clicks > summary').click();
  await checkLayout(page, 'taps');
});
