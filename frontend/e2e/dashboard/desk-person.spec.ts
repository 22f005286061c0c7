// The stored data of a person: counted, downloaded and erased from a request in the dashboard.
import { readFileSync } from 'node:fs';
import { createQuote, openDesk, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, test } from '../fixtures';

test('a person is exported, and erased once the address is typed', async ({ page, request }) => {
  const place = uniqueLocation();
  const email = `${place.split(',')[0]?.toLowerCase()}@property.example`;
  await createQuote(request, place, { email });
  await createQuote(request, place, { email: email.toUpperCase(), description: 'Once more' });
  await createQuote(request, place, { first_name: 'Somebody', last_name: 'Else' });
  await openDesk(page, place);
  await expect(rowOf(page, place)).toHaveCount(3);
  await rowOf(page, place).filter({ hasText: 'Marta' }).first().locator('.row-link').click();
  await page.locator('.request-menu > summary').click();
  const data = page.getByRole('region', { name: 'What we hold' });
  await data.getByRole('button', { name: 'Export or erase this person' }).click();
  await expect(data.getByRole('status')).toContainText('2 quote requests');

  const started = page.waitForEvent('download');
  await data.getByRole('button', { name: 'Download all of it as JSON' }).click();
  const download = await started;
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8'));
  expect(saved.tables.quotes).toHaveLength(2);
  expect(download.suggestedFilename().toLowerCase()).toBe(`${email}.json`);

  await data.getByLabel(/^Type .* to erase$/).fill('somebody@else.example');
  await data.getByRole('button', { name: 'Erase this person', exact: true }).click();
  await expect(data.locator('#confirm-error')).toBeVisible();
  await expect(data.getByLabel(/^Type .* to erase$/)).toBeFocused();
  await data.getByLabel(/^Type .* to erase$/).fill(email);
  await data.getByRole('button', { name: 'Erase this person', exact: true }).click();
  const notice = page.getByRole('region', { name: /is erased$/ });
  await expect(notice).toContainText('Deleted: 2 quote requests');
  await expect(rowOf(page, place)).toHaveCount(1);
  await expect(page.locator('#panel-title')).toHaveCount(0);
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(notice).toHaveCount(0);
});

test('an erasure needs no pointer, and leaves the screens of others', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const place = uniqueLocation();
  const email = `${place.split(',')[0]?.toLowerCase()}@property.example`;
  await createQuote(request, place, { email });
  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await openDesk(other, place);
  await openDesk(page, place);
  await rowOf(page, place).locator('.row-link').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#panel-title')).toBeFocused();
  await page.locator('.request-menu > summary').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Export or erase this person' }).focus();
  await page.keyboard.press('Enter');
  const address = page.getByLabel(/^Type .* to erase$/);
  await expect(address).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Download all of it as JSON' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(address).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  const title = page.getByRole('heading', { name: `${email} is erased` });
  await expect(title).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(title).toHaveCount(0);
  await expect(rowOf(page, place)).toHaveCount(0);
  await expect(rowOf(other, place)).toHaveCount(0);
  await other.context().close();
});
