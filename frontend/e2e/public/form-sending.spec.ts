// Sending both forms in the browser: confirmations, limits, failures (specification sections 4, 5,
// 7, 8, 9).
import type { Page } from '@playwright/test';
import { expect, fill, fillQuote, send, test } from '../fixtures';

async function fillContact(page: Page, changes: Record<string, string> = {}): Promise<void> {
  await fill(page, {
    firstName: 'Ana',
    lastName: 'Lee',
    email: 'ana@site.example',
    phone: '(713) 555-0123',
    details: 'Two guards for a concert',
    ...changes,
  });
  await page.locator('form [name="service"]').selectOption('event');
}

test('a sent contact message shows the confirmation and clears the fields', async ({ page, server }) => {
  const details = `A concert on ${Date.now()}`;
  await page.goto('/contact');
  await fillContact(page, { details });
  await send(page);
  await expect(page.getByText('Message Sent')).toBeVisible();
  await expect(page.getByText("Thank you for contacting us. We'll respond within 24 hours.")).toBeVisible();
  await expect(page.getByText('Thank You for Your Message!')).toBeVisible();
  await expect(page.locator('[name="details"]')).toHaveValue('');
  expect(await server.waitForEmail(details)).toContain('ana@site.example');
  await page.getByText('Send Another Message').click();
  await expect(page.getByText('Thank You for Your Message!')).toBeHidden();
});

test('the banner shows the reference, and the number to one who asks for a call right away', async ({
  page,
}) => {
  await page.goto('/quote');
  await fillQuote(page, { location: `Pasadena ${Date.now()}` });
  await send(page);
  const facts = page.locator('.banner-facts');
  await expect(facts).toContainText(
    /^Your reference: GP-[2-9B-Z]{4}We answer by phone or email within 24 hours/,
  );
  // A reload shows the same.
  await page.reload();
  await expect(facts).toContainText(
    /^Your reference: GP-[2-9B-Z]{4}We answer by phone or email within 24 hours/,
  );
  await expect(page.locator('form.form')).toBeHidden();
  await page.getByRole('button', { name: 'Submit Another Request' }).click();
  await expect(page.locator('form.form')).toBeVisible();
  await fillQuote(page, { location: `Pasadena ${Date.now()}` });
  await page.locator('form [name="emergencyContact"]').check();
  await send(page);
  await expect(facts).toContainText('We will call you within 30 minutes. If you cannot wait, call us now:');
  await expect(facts).not.toContainText('24 hours');
  await expect(facts.getByRole('link').first()).toHaveAttribute('href', 'tel:+17135550142');
});

test('the empty form is folded until another request is wanted', async ({ page }) => {
  await page.goto('/quote');
  const banner = page.getByText('Quote Request Submitted Successfully!');
  await fillQuote(page, { location: `Katy ${Date.now()}` });
  await send(page);
  await expect(banner).toBeVisible();
  await expect(page.locator('form.form')).toBeHidden();
  await page.getByRole('button', { name: 'Submit Another Request' }).click();
  await expect(banner).toBeHidden();
  await expect(page.locator('form.form [name="firstName"]')).toHaveValue('');
  await expect(page.locator('form.form [name="firstName"]')).toBeFocused();
  // The half-filled form is not confirmed.
  await page.reload();
  await expect(banner).toBeHidden();
  await expect(page.locator('form.form')).toBeVisible();
});

test('a fourth quote in five minutes gets the toast and nothing typed is lost', async ({ page }) => {
  await page.goto('/quote');
  for (let n = 0; n < 3; n += 1) {
    await fillQuote(page, { location: `Houston ${n}` });
    await send(page);
    await page
      .getByRole('button', { name: 'Submit Another Request' })
      .or(page.getByRole('link', { name: 'Submit Another Request' }))
      .click();
    await expect(page.getByText('Quote Request Submitted Successfully!')).toBeHidden();
  }
  await fillQuote(page, { location: 'Houston 4' });
  await send(page);
  await expect(page.getByText('Too many requests')).toBeVisible();
  await expect(page.getByText('Please wait before submitting another quote request.')).toBeVisible();
  await expect(page.locator('[name="location"]')).toHaveValue('Houston 4');
});

test("the limit is the server's too", async ({ page }) => {
  for (let n = 0; n < 4; n += 1) {
    await page.goto('/quote');
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.reload();
    await fillQuote(page, { location: `Dallas ${n}` });
    await send(page);
    if (n < 3) await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  }
  await expect(page.getByText('Too many requests')).toBeVisible();
  await expect(page.locator('[name="location"]')).toHaveValue('Dallas 3');
});

test('while a quote is being sent the button shows it, and a double click is one quote', async ({
  page,
  server,
}) => {
  const location = `Waco ${Date.now()}`;
  await page.goto('/quote');
  await fillQuote(page, { location });
  let release = () => {};
  const held = new Promise<void>((go) => {
    release = go;
  });
  await page.route('**/api/quotes', async (route) => {
    await held;
    await route.continue();
  });
  await page.locator('form.form button[type="submit"]').dblclick();
  const button = page.getByRole('button', { name: 'Submitting...' });
  await expect(button).toBeDisabled();
  release();
  await expect(page.getByText('Quote Request Submitted', { exact: true })).toBeVisible();
  const exported = server.command(['export-quotes', '--format', 'jsonl']);
  expect(exported.split(location).length - 1).toBe(1);
});

test('a lost response neither loses nor duplicates a quote', async ({ page, server }) => {
  const location = `Laredo ${Date.now()}`;
  await page.goto('/quote');
  await fillQuote(page, { location });
  await page.route(
    '**/api/quotes',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await send(page);
  await expect(
    page.getByText('There was an issue processing your request. Please try again or call us directly.'),
  ).toBeVisible();
  await expect(page.locator('[name="location"]')).toHaveValue(location);
  await send(page);
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  expect(server.command(['export-quotes', '--format', 'jsonl']).split(location).length - 1).toBe(1);
});

test('after a server error a quote keeps its values and shows what to do', async ({ page }) => {
  await page.goto('/quote');
  await fillQuote(page);
  await page.route('**/api/quotes', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: '{"status":503,"title":"x","detail":"y"}',
    }),
  );
  await send(page);
  await expect(
    page.getByText('There was an issue submitting your quote request. Please try again or call us directly.'),
  ).toBeVisible();
  await expect(page.locator('[name="location"]')).toHaveValue('Houston, TX');
});

test('when the server cannot be reached the contact form prepares an email', async ({ page }) => {
  await page.goto('/contact');
  await fillContact(page);
  await page.route('**/api/contact', (route) => route.abort());
  const said: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') said.push(message.text());
  });
  await send(page);
  await expect(page.getByText('Message Prepared')).toBeVisible();
  await expect(page.getByText('Your email client should open with the message ready to send.')).toBeVisible();
  await expect(page.getByText('Thank You for Your Message!')).toBeVisible();
  await expect(page.locator('.banner')).toContainText('Your message may not have reached us');
  expect(said.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Bring Back My Message' }).click();
  await expect(page.locator('form [name="details"]')).toHaveValue('Two guards for a concert');
  await expect(page.locator('form [name="service"]')).toHaveValue('event');
  await send(page);
  await page.getByRole('button', { name: 'Send Another Message' }).click();
  await expect(page.locator('.banner')).toBeHidden();
  for (const name of ['firstName', 'lastName', 'email', 'phone', 'company', 'details'])
    await expect(page.locator(`form [name="${name}"]`)).toHaveValue('');
});

for (const width of [390, 320])
  test(`a toast covers neither what it speaks of nor the bar, and goes when that is touched, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/quote');
    const toast = page.locator('.toast');
    const covers = (selector: string) =>
      page.evaluate((within) => {
        const card = document.querySelector('.toast')?.getBoundingClientRect();
        const boxes = [...document.querySelectorAll(within)].map((element) =>
          element.getBoundingClientRect(),
        );
        return boxes.some(
          ({ top, bottom, height }) => height && card && top < card.bottom && bottom > card.top,
        );
      }, selector);
    await send(page);
    await expect(toast).toContainText('Validation Error');
    await expect.poll(() => covers('.field:has(:focus), .bottom-bar')).toBe(false);
    await page.locator('[name="firstName"]').fill('Marta');
    await expect(toast).toHaveCount(0);
    await fillQuote(page);
    await send(page);
    await expect(toast).toContainText('Quote Request Submitted');
    await expect.poll(() => covers('.banner :is(a, button)')).toBe(false);
    await page.getByRole('button', { name: 'Submit Another Request' }).click();
    await expect(toast).toHaveCount(0);
  });
