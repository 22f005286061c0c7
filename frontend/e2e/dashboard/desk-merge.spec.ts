// Customers who ask twice: the mark in the list, merging two requests into one, and back.
import { createQuote, openDesk, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, test } from '../fixtures';

/** Two requests of one customer, the older one first. */
async function askTwice(request: Parameters<typeof createQuote>[0], place: string) {
  const email = `${place.split(',')[0]?.toLowerCase()}@twice.example`;
  const phone = `(713) 555-0${100 + Math.floor(Math.random() * 900)}`;
  const both = { email, phone, emergency_contact: false };
  await createQuote(request, place, { ...both, description: 'The first one' });
  await createQuote(request, place, { ...both, description: 'And again' });
}

test('a customer who asked before is marked, and two requests become one and two again', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  await askTwice(request, place);
  await openDesk(page, place);
  const rows = rowOf(page, place);
  await expect(rows).toHaveCount(2);
  await expect(rows.getByText('Asked before')).toHaveCount(1);

  await rows.first().locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: /^Merge with GP-.* into GP-/ }).click();
  await expect(page.locator('.toast')).toContainText('Merged');
  await expect(rows).toHaveCount(1);
  await expect(panel.getByRole('heading', { name: 'Merged request' })).toBeVisible();
  await expect(panel).toContainText('And again');

  await panel.locator('#panel-title').click();
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('They are two requests again.');
  await expect(rows).toHaveCount(2);

  await panel.getByRole('button', { name: /^Merge with GP-.* into GP-/ }).click();
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(panel.getByRole('heading', { name: 'Merged request' })).toBeVisible();
  await panel.getByRole('button', { name: /^Separate GP-/ }).click();
  await expect(page.locator('.toast')).toContainText('Separated');
  await expect(rows).toHaveCount(2);
});
