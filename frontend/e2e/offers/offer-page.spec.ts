// The customer's page of an offer, from request to receipt, on a phone and without JavaScript.
import { expect, test } from '../fixtures';
import { violations } from '../violations';
import { sentOffer } from './offer-helpers';

test.describe('on a small phone without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });

  test('an offer is read, accepted, and its receipt kept', async ({ page, request }) => {
    const { link } = await sentOffer(request);
    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Offer GP-');
    await expect(page.locator('article')).toContainText('Fire watch officer');
    const widest = await page.locator('html').evaluate((html) => html.scrollWidth);
    expect(widest).toBe(320);
    await page.getByLabel('Your name').fill('Marta Núñez');
    await page.getByLabel('Your email address').fill('Marta@property.example');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Accept this offer' }).click();
    await expect(page.getByRole('status')).toContainText('was accepted by Marta Núñez on');
    const receipt = await page.getByRole('link', { name: 'Keep the receipt (PDF)' }).getAttribute('href');
    const pdf = await request.get(receipt ?? '');
    expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Accept this offer' })).toHaveCount(0);
  });

  test('an offer is declined with a reason', async ({ page, request }) => {
    await page.goto((await sentOffer(request)).link);
    await page.getByText('Decline this offer').click();
    await page.getByLabel('Why (optional)').fill('Too late for us');
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect(page.getByRole('status')).toContainText('This offer was declined on');
  });
});

test('the page has no accessibility violations in any state', async ({ page, request }) => {
  const { link } = await sentOffer(request);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(link);
    for (const details of await page.locator('details').all()) await details.locator('summary').click();
    expect(await violations(page)).toEqual([]);
  }
  await page.getByLabel('Your question').fill('Is parking included?');
  await page.getByRole('button', { name: 'Send the question' }).click();
  await expect(page.getByRole('status')).toContainText('We have your question');
  expect(await violations(page)).toEqual([]);
  // A field that is wrong.
  await page
    .locator('form')
    .first()
    .evaluate((form) => form.setAttribute('novalidate', ''));
  await page.getByRole('button', { name: 'Accept this offer' }).click();
  await expect(page.locator('#name-error')).toHaveText('Type your first and last name.');
  expect(await violations(page)).toEqual([]);
  await page.goto('/offer/verify');
  expect(await violations(page)).toEqual([]);
  await page.goto('/offer/nothing');
  await expect(page.getByText('There is no offer under this link')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
