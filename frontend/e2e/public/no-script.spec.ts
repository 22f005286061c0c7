// The site without JavaScript.
import { expect, fillQuote, send, test } from '../fixtures';

test.use({ javaScriptEnabled: false });

test('a quote is sent, and the page says so', async ({ page, server }) => {
  const location = `Beaumont ${Date.now()}`;
  await page.goto('/quote?service=security-guards');
  await expect(page.locator('[name="serviceType"]')).toHaveValue('armed-security');
  await fillQuote(page, { location });
  await send(page);
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  await expect(page.locator('.banner-facts')).toContainText(/^Your reference: GP-[2-9B-Z]{4}/);
  await server.waitForEmail(location);
});

test('a rejected form is returned with its values', async ({ page }) => {
  await page.goto('/contact');
  await page.locator('[name="firstName"]').fill('Ana');
  await page.locator('[name="details"]').fill('it\'s "quoted"');
  await send(page);
  await expect(page.locator('.form-alert')).toContainText('Please fix the errors below before submitting.');
  await expect(page.locator('#lastName-error')).toHaveText('This field is required');
  await expect(page.locator('#details-error')).toHaveText('Details contain invalid characters');
  await expect(page.locator('[name="firstName"]')).toHaveValue('Ana');
  await expect(page.locator('[name="details"]')).toHaveValue('it\'s "quoted"');
  await expect(page.locator('.field-fix')).toContainText('Instead: “it’s “quoted””');
  await page.getByRole('button', { name: 'Fix it for me' }).click();
  await expect(page.locator('#details-error')).toBeHidden();
  await expect(page.locator('[name="details"]')).toHaveValue('it’s “quoted”');
});

test('a message that is far too long gives back the page with what fits', async ({ page }) => {
  await page.goto('/contact');
  await page.locator('[name="firstName"]').fill('Ana');
  await page.locator('[name="details"]').fill(`Two guards ${'a'.repeat(80_000)}`);
  await send(page);
  await expect(page.locator('.form-alert')).toContainText('Please shorten your text and send it again.');
  await expect(page.locator('[name="firstName"]')).toHaveValue('Ana');
  await expect(page.locator('[name="details"]')).toHaveValue(/^Two guards a{60000}/);
});

test('menus, questions and the map work', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.locator('details.menu > summary').click();
  await expect(page.locator('details.menu').getByRole('link', { name: 'Prices' })).toBeVisible();
  await page.goto('/');
  await page.locator('#faq summary').first().click();
  await page.locator('#faq summary').nth(1).click();
  await expect(page.locator('#faq details[open]')).toHaveCount(1);
  await page.locator('main a[href="/states/texas"]').last().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Texas');
});
