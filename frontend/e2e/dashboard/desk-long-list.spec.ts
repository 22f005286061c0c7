// Five thousand loaded rows: few elements, smooth scrolling, and a working keyboard.
import { expect, expectDashboard, signIn, test } from '../fixtures';

const total = 5000;
/** Rows per page here, so that the test loads five pages instead of a hundred. */
const pageSize = 1000;

function requestAt(index: number) {
  const at = new Date(Date.UTC(2026, 10, 20) - index * 60_000).toISOString();
  return {
    id: `0192f0c1-2345-7000-8000-${String(index).padStart(12, '0')}`,
    kind: 'quote',
    reference: 'GP-2K7Q',
    created_at: at,
    updated_at: at,
    status: 'pending',
    first_name: 'Marta',
    last_name: `Number${index}`,
    email: 'marta@property.example',
    phone: '(713) 555-0188',
    service: 'fire-watch',
    location: 'Houston, TX',
    start_date: '2099-12-01',
    duration: '1-week',
    emergency_contact: index % 5 === 0,
    awaits_call: index % 5 === 0,
    due_at: at,
    held: false,
    held_reasons: [],
    extra_fields: {},
  };
}

test('5,000 loaded rows have under 100 row elements while they are scrolled', async ({ page }) => {
  const counts = { pending: total, in_progress: 0, completed: 0, cancelled: 0 };
  const views = {
    quotes: total,
    attention: total,
    mine: 0,
    messages: 0,
    everything: total,
    held: 0,
    unmatched: 0,
  };
  await page.route('**/api/admin/inbox?**', (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const requests = Array.from({ length: pageSize }, (_, index) => requestAt(from + index));
    const next_cursor = from + pageSize < total ? String(from + pageSize) : null;
    return route.fulfill({ json: { requests, next_cursor, counts, views, search_incomplete: false } });
  });
  await signIn(page);
  await expectDashboard(page);
  await expect(page.getByText('Marta Number0', { exact: true })).toBeVisible();
  for (let loaded = pageSize; loaded < total; loaded += pageSize) {
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
    if (loaded + pageSize < total)
      await expect(page.getByText(`${(loaded + pageSize).toLocaleString('en-US')} shown`)).toBeAttached();
  }
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
  expect(await page.locator('.row').count()).toBeLessThan(100);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));

  const most = await page.evaluate(async () => {
    let most = 0;
    for (let frame = 0; frame < 180; frame += 1) {
      scrollBy({ top: 200, behavior: 'instant' });
      await new Promise(requestAnimationFrame);
      most = Math.max(most, document.querySelectorAll('.row').length);
    }
    return most;
  });
  expect(most).toBeLessThan(100);

  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
  await expect(page.getByText(`Marta Number${total - 1}`, { exact: true })).toBeVisible();
  await page.locator('.row-link').last().focus();
  for (let step = 0; step < 30; step += 1) await page.keyboard.press('k');
  const focused = page.locator('.row').filter({ has: page.locator('.row-link:focus') });
  await expect(focused).toContainText(`Marta Number${total - 31}`);
});

test('a printed list has every loaded row, and the window goes on with few', async ({ page }) => {
  const count = 150;
  const counts = { pending: count, in_progress: 0, completed: 0, cancelled: 0 };
  const views = {
    quotes: count,
    attention: 0,
    mine: 0,
    messages: 0,
    everything: count,
    held: 0,
    unmatched: 0,
  };
  await page.route('**/api/admin/inbox?**', (route) => {
    const requests = Array.from({ length: count }, (_, index) => requestAt(index));
    return route.fulfill({ json: { requests, next_cursor: null, counts, views, search_incomplete: false } });
  });
  await signIn(page);
  await expectDashboard(page);
  await expect(page.getByText('Marta Number0', { exact: true })).toBeVisible();
  expect(await page.locator('.row').count()).toBeLessThan(100);
  // As the browser does it: the page is laid out when the listeners have returned.
  const printed = await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    const rows = document.querySelectorAll('.row').length;
    dispatchEvent(new Event('afterprint'));
    return rows;
  });
  expect(printed).toBe(count);
  await expect.poll(() => page.locator('.row').count()).toBeLessThan(100);
});
