// Many requests: all of a long list are changed with one undo, and an open dashboard keeps up with
// a flood.
import type { APIRequestContext } from '@playwright/test';
import { openDesk, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

/** Sends quote requests for one place, many at a time. */
async function flood(request: APIRequestContext, place: string, count: number) {
  const send = async (number: number) => {
    const answer = await request.post('/api/quotes', {
      headers: { 'X-Forwarded-For': `10.${process.pid % 250}.${Math.floor(number / 250)}.${number % 250}` },
      data: {
        first_name: 'Marta',
        last_name: 'Flood',
        email: `flood${number}@property.example`,
        phone: '(713) 555-0188',
        service_type: 'fire-watch',
        location: place,
        start_date: '2099-12-01',
        duration: '1-week',
        emergency_contact: false,
      },
    });
    expect(answer.status()).toBe(201);
  };
  for (let at = 0; at < count; at += 25) {
    await Promise.all(Array.from({ length: Math.min(25, count - at) }, (_, next) => send(at + next)));
  }
}

test('an open desk agrees with the server after a flood, and all of it is changed with one undo', async ({
  page,
  request,
}) => {
  test.slow();
  const place = uniqueLocation();
  await signIn(page);
  await expectDashboard(page);
  const view = page.getByRole('link', { name: /^All quotes/ });
  const countOf = async () => Number((await view.innerText()).replace(/[^0-9]/g, ''));
  await expect.poll(countOf).toBeGreaterThanOrEqual(0);
  const before = await countOf();
  const total = 620;
  await flood(request, place, total);
  // Sooner than its next reading by the clock, which is every twenty seconds.
  await expect.poll(countOf, { timeout: 10_000 }).toBeGreaterThanOrEqual(before + total);
  await expect(page.getByRole('button', { name: /50\+ new requests/ })).toBeVisible();

  await page.goto(`/admin?status=pending&q=${place.split(',')[0]}`);
  await page.getByRole('button', { name: /^Select all/ }).click();
  const bar = page.getByRole('region', { name: 'Selected requests' });
  await expect(bar).toContainText(`${total} selected`);
  await bar.getByRole('button', { name: /^Accept/ }).click();
  await expect(page.locator('.toast')).toContainText(`${total} of ${total} requests changed to in progress.`);
  await expect(rowOf(page, place).first()).toContainText('in progress');
  await expect(page.locator('.row').getByRole('button', { name: /Undo/ })).toHaveCount(0);
  await page.getByRole('button', { name: `Undo all ${total}` }).click();
  await expect(page.locator('.toast')).toContainText('as they were before');
  await page.goto(`/admin?q=${place.split(',')[0]}&status=in_progress`);
  await expect(page.getByText('No quote requests found.')).toBeVisible();
});

test('a key works after a click on the checkbox of a row', async ({ page, request }) => {
  const place = uniqueLocation();
  await flood(request, place, 1);
  await openDesk(page, place);
  const row = rowOf(page, place);
  await row.getByRole('checkbox').click();
  await row.getByRole('checkbox').click();
  await page.keyboard.press('a');
  await expect(row).toContainText('in progress');
});

test('a colleague’s erasure of the open person is shown once, and not asked for again', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  await flood(request, place, 1);
  await openDesk(page, place);
  await rowOf(page, place).locator('.row-link').click();
  await expect(page.getByRole('complementary')).toContainText(place);
  const id = new URL(page.url()).searchParams.get('request');
  server.command(['person', 'erase', 'flood0@property.example', '--yes']);
  await expect(page.getByText('There is no such request.')).toBeVisible();
  await expect(rowOf(page, place)).toHaveCount(0);
  const asked: string[] = [];
  page.on('request', (call) => {
    if (call.url().endsWith(`/inbox/${id}`)) asked.push(call.url());
  });
  // Each later change is an occasion to ask for it again.
  await flood(request, place, 5);
  await expect(page.getByRole('button', { name: '5 new requests' })).toBeVisible();
  await expect(page.getByText('There is no such request.')).toBeVisible();
  expect(asked).toEqual([]);
});
