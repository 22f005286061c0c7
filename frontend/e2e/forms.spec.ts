// Both forms in the browser: rules, messages, limits, failures (specification sections 4, 5, 7, 8, 9).
import type { Page } from '@playwright/test';
import { expect, fill, fillQuote, send, test } from './fixtures';

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

test('an empty contact form names every required field, and a message goes when its field is edited', async ({
  page,
}) => {
  await page.goto('/contact');
  await send(page);
  await expect(page.getByText('Validation Error')).toBeVisible();
  await expect(page.getByText('Please fix the errors below before submitting.')).toBeVisible();
  for (const name of ['firstName', 'lastName', 'email', 'phone', 'service', 'details']) {
    await expect(page.locator(`#${name}-error`)).toHaveText('This field is required');
    await expect(page.locator(`[name="${name}"]`)).toHaveAttribute('aria-invalid', 'true');
  }
  await expect(page.locator('#company-error')).toBeHidden();
  await expect(page.locator('[name="firstName"]')).toBeFocused();
  await page.locator('[name="firstName"]').fill('A');
  await expect(page.locator('#firstName-error')).toBeHidden();
});

test('a field is checked when it is left', async ({ page }) => {
  await page.goto('/contact');
  await page.locator('[name="email"]').fill('nobody');
  await page.locator('[name="phone"]').focus();
  await expect(page.locator('#email-error')).toHaveText('Please enter a valid email address');
});

test('a contact message is thanked for and the fields are clear', async ({ page, server }) => {
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

test('HTML is stripped as it is typed and "don\'t" never meets the refusal', async ({ page }) => {
  await page.goto('/contact');
  await page.locator('[name="firstName"]').pressSequentially('A<b>n</b>a');
  await expect(page.locator('[name="firstName"]')).toHaveValue('Ana');
  await page.locator('[name="details"]').pressSequentially("We don't know");
  await expect(page.locator('[name="details"]')).toHaveValue('We don’t know');
});

test('where the rule refuses, a button mends the text in place', async ({ page }) => {
  await page.goto('/quote');
  await page.locator('form [name="description"]').fill('Gate "B"; after 9');
  await page.locator('[name="company"]').focus();
  await expect(page.locator('#description-error')).toContainText('Invalid characters in description');
  await page.getByRole('button', { name: /fix|mend|replace|remove/i }).click();
  await expect(page.locator('#description-error')).toBeHidden();
  await expect(page.locator('form [name="description"]')).toHaveValue(/Gate “B” after 9/);
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
  await page.goto('/quote');
  for (let n = 0; n < 4; n += 1) {
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

test('while a quote is on its way the button says so, and a double click is one quote', async ({
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
  await page.locator('form button[type="submit"]').dblclick();
  const button = page.getByRole('button', { name: 'Submitting...' });
  await expect(button).toBeDisabled();
  release();
  await expect(page.getByText('Quote Request Submitted', { exact: true })).toBeVisible();
  const exported = server.command(['export-quotes', '--format', 'jsonl']);
  expect(exported.split(location).length - 1).toBe(1);
});

test('a lost answer is not a lost quote, nor two', async ({ page, server }) => {
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

test('a quote the server fails on keeps what was typed and says what to do', async ({ page }) => {
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

test('when the server cannot be reached the contact form prepares a mail', async ({ page }) => {
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
  expect(said.length).toBeGreaterThan(0);
});

test('what is half filled in is found again, save who one is', async ({ page }) => {
  await page.goto('/quote');
  await fillQuote(page);
  await page.goto('/about');
  await page.goto('/quote');
  await expect(page.locator('[name="serviceType"]')).toHaveValue('fire-watch');
  await expect(page.locator('[name="startDate"]')).toHaveValue('2026-12-01');
  await expect(page.locator('[name="email"]')).toHaveValue('');
});

test('where the visit came from travels with the quote', async ({ page, server }) => {
  const location = `Tyler ${Date.now()}`;
  await page.goto('/fire-watch?utm_source=ads&gclid=g123');
  await page.goto('/quote');
  await fillQuote(page, { location });
  await send(page);
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  const line =
    server
      .command(['export-quotes', '--format', 'jsonl'])
      .split('\n')
      .find((row) => row.includes(location)) ?? '';
  expect(line).toContain('ads');
  expect(line).toContain('/fire-watch');
});

test('a visit begins on its first page also where the visitor was quicker than the code', async ({
  page,
  server,
}) => {
  await page.goto('/quote', { referer: `${server.url}/fire-watch?utm_source=ads` });
  await fillQuote(page);
  const post = page.waitForRequest('**/api/quotes');
  await send(page);
  const { attribution } = (await post).postDataJSON();
  expect(attribution).toEqual({ landing: '/fire-watch', utm_source: 'ads' });
});

for (const signal of ['doNotTrack', 'globalPrivacyControl', ''] as const) {
  test(`where a visit came from ${signal ? `is not told against ${signal}` : 'is told with the form'}`, async ({
    page,
  }) => {
    await page.addInitScript((name) => {
      if (name) Object.defineProperty(navigator, name, { value: name === 'doNotTrack' ? '1' : true });
    }, signal);
    const beacons: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/taps')) beacons.push(request.url());
    });
    await page.goto('/fire-watch?utm_source=letter');
    // Nobody answers a phone link here: the tap is seen, the call is not made.
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault(), { once: true }));
    await page.locator('main a[href^="tel:"]').first().click();
    await page.locator('main a[href^="/quote"]').first().click();
    await fillQuote(page);
    const post = page.waitForRequest('**/api/quotes');
    await send(page);
    const { attribution } = (await post).postDataJSON();
    expect(attribution?.utm_source).toBe(signal ? undefined : 'letter');
    expect(beacons.length).toBe(signal ? 0 : 1);
  });
}
