// What becomes of a sent offer, on open desks and on the customer's page: accepted, declined,
// replaced, withdrawn.
import type { Page } from '@playwright/test';
import { expect, expectDashboard, signIn, test } from '../fixtures';
import { sentOffer } from './offer-helpers';

/** Opens the view of offers as a second desk of the same person, in a separate browser. */
async function openOffers(page: Page) {
  await signIn(page);
  await expectDashboard(page);
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Offers' }).click();
  await expect(page.getByRole('heading', { name: 'Offers', level: 1 })).toBeVisible();
}

test('an answer on the customer’s page reaches two open desks without a reload', async ({
  page,
  browser,
  request,
  baseURL,
  visitor,
}) => {
  test.slow();
  const [first, second] = [await sentOffer(request), await sentOffer(request)];
  const other = await browser.newContext({ baseURL, extraHTTPHeaders: { 'X-Forwarded-For': visitor } });
  const list = await other.newPage();
  await openOffers(page);
  await signIn(list);
  await expectDashboard(list);
  // Of all requests of the tests, only this one: others may push its row out of the list.
  const query = new URLSearchParams({ q: first.place.split(',')[0] ?? '', request: first.id });
  await list.goto(`/admin?${query}`);
  const rowOf = (number: string) => page.locator('.offer-rows li').filter({ hasText: number });
  const value = list.locator('.row').filter({ hasText: first.place }).locator('.row-offer');
  await expect(rowOf(first.number)).toContainText('Waiting');
  await expect(value).toHaveText(/^Offer: Waiting, \$\d/);
  await expect(list.getByRole('article', { name: `Offer ${first.number}` })).toContainText('Waiting');

  const customer = await other.newPage();
  await customer.goto(first.link);
  await customer.getByLabel('Your name').fill('Marta Núñez');
  await customer.getByLabel('Your email address').fill('marta@property.example');
  await customer.getByRole('checkbox').check();
  await customer.getByRole('button', { name: 'Accept this offer' }).click();
  await expect(customer.getByRole('status')).toContainText('was accepted by Marta Núñez');
  await expect(rowOf(first.number)).toHaveCount(0);
  await expect(value).toHaveText(/^Offer: (Accepted|To be confirmed), \$\d/);
  await expect(list.getByRole('article', { name: `Offer ${first.number}` })).toContainText('Accepted');

  // Its value gives way to the button, which takes the press where it stood.
  query.delete('request');
  await list.goto(`/admin?${query}`);
  const row = list.locator('.row').filter({ hasText: first.place });
  await row.hover();
  const confirm = row.getByRole('button', { name: 'Confirm staffing' });
  await confirm.click();
  await expect(list.locator('.toast')).toContainText('are staffed.');
  await expect(confirm).toHaveCount(0);

  await page.goto('/admin/offers?show=declined');
  await expect(rowOf(second.number)).toHaveCount(0);
  await customer.goto(second.link);
  await customer.getByText('Decline this offer').click();
  await customer.getByLabel('Why (optional)').fill('Too late for us');
  await customer.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(customer.getByRole('status')).toContainText('This offer was declined');
  await expect(rowOf(second.number)).toContainText('Too late for us');
  await other.close();
});

test('version 2 replaces version 1, whose link leads to it, until it is withdrawn', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  test.slow();
  const { id, number, link } = await sentOffer(request);
  const phone = await browser.newContext({
    baseURL,
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const theirs = await phone.newPage();
  await theirs.goto(link);
  await expect(theirs.getByRole('button', { name: 'Accept this offer' })).toBeVisible();

  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  const panel = page.getByRole('complementary');
  const card = panel.getByRole('article', { name: `Offer ${number}` });
  await card.getByRole('button', { name: 'New version' }).press('Enter');
  await panel.getByLabel('How many').fill('2');
  await expect(panel.getByRole('region', { name: 'Price' })).toContainText('× 2 officers ×');
  const total = (await panel.locator('.offer-total strong').textContent()) ?? '';
  await expect(panel.getByText('Draft saved.')).toBeVisible();
  await panel.getByRole('button', { name: 'Send version 2' }).press('Enter');
  await expect(card).toContainText('Version 2, sent');
  await expect(card).toContainText('Version 1: Replaced');

  // What the customer had open is refused, and leads to the new version.
  await theirs.getByLabel('Your name').fill('Marta Núñez');
  await theirs.getByLabel('Your email address').fill('marta@property.example');
  await theirs.getByRole('checkbox').check();
  await theirs.getByRole('button', { name: 'Accept this offer' }).click();
  await expect(theirs.locator('main')).toContainText('Version 2 has replaced this offer.');
  await expect(theirs.getByRole('button', { name: 'Accept this offer' })).toHaveCount(0);
  await theirs.getByRole('link', { name: 'Open the new version' }).click();
  await expect(theirs.getByRole('heading', { level: 1 })).toContainText('version 2');
  await expect(theirs.getByRole('region', { name: 'In short' })).toContainText(total);

  await card.getByRole('button', { name: 'Withdraw' }).press('Enter');
  await expect(panel.getByLabel(/^Why\?/)).toBeFocused();
  await page.keyboard.type('The price was wrong');
  await panel.getByRole('button', { name: 'Withdraw the offer' }).press('Enter');
  await expect(card).toContainText('Withdrawn');
  await theirs.reload();
  await expect(theirs.locator('main')).toContainText('We withdrew this offer');
  await expect(theirs.locator('main')).not.toContainText('The price was wrong');
  await expect(theirs.getByRole('button', { name: 'Accept this offer' })).toHaveCount(0);
  await phone.close();
});
