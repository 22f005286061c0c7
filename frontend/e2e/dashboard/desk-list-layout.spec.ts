// What stands above the list, how high its first row is, and what a phone shows of it.
import type { Locator } from '@playwright/test';
import { createQuote, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';
import { boxOf } from '../layout-checks';

test('an email that could not be delivered is named with a link to its request', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  await page.route('**/api/admin/system', async (route) => {
    const answer = await route.fetch();
    const problems = ['1 email could not be delivered.'];
    await route.fulfill({ response: answer, json: { ...(await answer.json()), problems } });
  });
  await page.route('**/api/admin/emails', (route) =>
    route.fulfill({
      json: {
        emails: [
          {
            id: 1,
            kind: 'reply',
            recipient: 'marta@property.example',
            error: 'No such mailbox.',
            request: id,
            created_at: new Date().toISOString(),
          },
        ],
      },
    }),
  );
  await signIn(page);
  await expectDashboard(page);
  await page.getByText(/warnings? about this installation/).click();
  const problem = page.getByRole('list', { name: 'Needs attention' });
  await problem.getByText('View', { exact: true }).click();
  await problem.getByRole('link', { name: 'Open the request' }).click();
  await expect(page.getByRole('complementary')).toContainText(place);
});

test('the statuses narrow the view that they name', async ({ page, request }) => {
  await createQuote(request, uniqueLocation());
  await signIn(page);
  await expectDashboard(page);
  const statuses = page.getByRole('navigation', { name: 'By status' });
  const box = page.locator('.status-filter > summary');
  await expect(box).toHaveText('Status: all');
  await box.click();
  await statuses.getByRole('link', { name: /^pending/i }).click();
  await expect(page).toHaveURL(/status=pending/);
  await expect(box).toHaveText('Status: pending');
  await expect(statuses).toBeHidden();
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /^Everything/ })
    .click();
  await expect(box).toHaveText('Status: all');
});

test('the first row stands high in the window, and fifteen rows of one line fit into one of 900 px', async ({
  page,
  request,
}) => {
  for (let at = 0; at < 18; at += 1)
    await createQuote(request, uniqueLocation(), { emergency_contact: at === 17 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page);
  await expectDashboard(page);
  const rows = page.locator('.row');
  await expect(rows.nth(16)).toBeAttached();
  await expect(page.getByText('EMERGENC').first()).toBeVisible();
  expect((await boxOf(rows.first())).y).toBeLessThanOrEqual(210);
  expect((await boxOf(rows.nth(14))).bottom).toBeLessThanOrEqual(900);
  for (const row of await rows.all()) expect.soft((await boxOf(row)).height).toBeLessThanOrEqual(45);
  // Each heading begins or ends where its facts do.
  const heads = page.locator('.row-heads');
  const edges = async (of: Locator, part: string) => boxOf(of.locator(part).first());
  for (const part of ['.row-due', '.row-place', '.row-start', '.row-who', '.row-status'])
    expect
      .soft(Math.abs((await edges(heads, part)).x - (await edges(rows.first(), part)).x), part)
      .toBeLessThan(3);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => (await boxOf(rows.first())).y).toBeLessThanOrEqual(260);
});

test('on a phone the chosen view and section are in sight', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  await expectDashboard(page);
  for (const [address, row, link] of [
    ['/admin?view=held', 'Views', /^Held/],
    ['/admin/offers?show=unconfirmed', 'Offers by state', /^To be confirmed/],
    ['/admin/figures?period=year', 'Periods', /^This year/],
    ['/admin/account', 'Admin', /^Account/],
  ] as const) {
    await page.goto(address);
    const chosen = page.getByRole('navigation', { name: row, exact: true }).getByRole('link', { name: link });
    await expect(chosen).toHaveAttribute('aria-current', /true|page/);
    await expect(chosen).toBeInViewport({ ratio: 0.9 });
  }
});

/** Whether something around an element hides parts of it. */
const isMasked = (of: Element) => {
  for (let at = of.parentElement; at; at = at.parentElement)
    if (getComputedStyle(at).maskImage !== 'none') return true;
  return false;
};

test('a menu above the list opens inside the window, and a wide one has them beside the views', async ({
  page,
  request,
}) => {
  await createQuote(request, uniqueLocation());
  await signIn(page);
  await expectDashboard(page);
  const menus = page.locator('.toolbar .popover');
  const views = page.getByRole('navigation', { name: 'Views' });
  for (const width of [1440, 1280, 1024, 768, 600, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const menu of await menus.all()) {
      await menu.locator('> summary').click();
      const { x, width: wide } = await boxOf(menu.locator('.popover-box'));
      expect.soft(x, `left at ${width}`).toBeGreaterThanOrEqual(0);
      expect.soft(x + wide, `right at ${width}`).toBeLessThanOrEqual(width);
      expect.soft(await menu.evaluate(isMasked), `masked at ${width}`).toBe(false);
      await page.keyboard.press('Escape');
    }
    if (width < 1200) continue;
    const tops = await boxOf(menus.last());
    expect.soft(tops.y, `one line at ${width}`).toBeLessThan((await boxOf(views)).y + 24);
  }
});
