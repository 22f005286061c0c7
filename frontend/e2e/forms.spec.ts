// Both forms in the browser: rules, messages, limits, failures (specification sections 4, 5, 7, 8,
// 9).
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

test('HTML is stripped as it is typed, and "don\'t" is not rejected', async ({ page }) => {
  await page.goto('/contact');
  await page.locator('[name="firstName"]').pressSequentially('A<b>n</b>a');
  await expect(page.locator('[name="firstName"]')).toHaveValue('Ana');
  await page.locator('[name="details"]').pressSequentially("We don't know");
  await expect(page.locator('[name="details"]')).toHaveValue('We don’t know');
});

test('where a rule rejects a text, a button corrects it in place', async ({ page }) => {
  await page.goto('/quote');
  await page.locator('form [name="description"]').fill('Gate "B"; after 9');
  await page.locator('[name="company"]').focus();
  await expect(page.locator('#description-error')).toContainText('Invalid characters in description');
  await page.getByRole('button', { name: 'Fix it for me' }).click();
  await expect(page.locator('#description-error')).toBeHidden();
  await expect(page.locator('form [name="description"]')).toHaveValue(/Gate “B” after 9/);
});

for (const path of ['/quote', '/contact']) {
  test(`one press on ${path} makes the company and the phone what the rules take, and loses nothing`, async ({
    page,
  }) => {
    await page.goto(path);
    const message = page.locator('form textarea');
    await message.fill('Two guards');
    await page.locator('form [name="company"]').fill('Acme, Inc. (West)');
    await page.locator('form [name="phone"]').fill('(713) 555-0142 x12');
    await page.locator('form [name="lastName"]').focus();
    await page.getByRole('button', { name: 'Use Acme Inc. West' }).click();
    await expect(page.locator('#company-error')).toBeHidden();
    await expect(page.locator('form [name="company"]')).toHaveValue('Acme Inc. West');
    await page.getByRole('button', { name: 'Use (713) 555-0142 and move the rest to the message' }).click();
    await expect(page.locator('#phone-error')).toBeHidden();
    await expect(page.locator('form [name="phone"]')).toHaveValue('(713) 555-0142');
    await expect(message).toHaveValue('Two guards\nPhone number: (713) 555-0142 x12');
  });
}

test('a start date in the past is refused by the visitor’s own calendar', async ({ page }) => {
  await page.goto('/quote');
  const day = (offset: number) =>
    page.evaluate((days) => {
      const date = new Date();
      date.setDate(date.getDate() + days);
      return `${date.getFullYear()}-${`${date.getMonth() + 1}`.padStart(2, '0')}-${`${date.getDate()}`.padStart(2, '0')}`;
    }, offset);
  await page.locator('[name="startDate"]').fill(await day(-1));
  await page.locator('[name="location"]').focus();
  await expect(page.locator('#startDate-error')).toHaveText('Please select a start date');
  await page.locator('[name="startDate"]').fill(await day(0));
  await page.locator('[name="location"]').focus();
  await expect(page.locator('#startDate-error')).toBeHidden();
});

for (const width of [320, 390, 768, 1280]) {
  test(`a message never moves what is being pressed, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ['/quote', '/contact']) {
      await page.goto(path);
      const controls = page.locator(
        'form.form :is(input, select, textarea, button, label.field-check), main a[href^="mailto:"]',
      );
      const leave = page.locator('form [name="firstName"]');
      for (const control of await controls.all()) {
        const name = await control.evaluate(({ outerHTML }) => outerHTML.slice(0, 60));
        await page.evaluate(() => document.querySelector<HTMLFormElement>('form.form')?.reset());
        await leave.fill('Agent 47;');
        await page.locator('form textarea').fill('"x";');
        await page.locator('form textarea').focus();
        await control.scrollIntoViewIfNeeded();
        await control.evaluate((element) => {
          (window as { hit?: boolean }).hit = false;
          element.addEventListener(
            'click',
            (event) => {
              (window as { hit?: boolean }).hit = true;
              event.preventDefault();
            },
            { once: true },
          );
        });
        const before = await control.boundingBox();
        // A link in a text may wrap: its first line is what is pressed.
        const line = await control.evaluate((element) => element.getClientRects()[0]?.toJSON());
        if (!before || !line) throw new Error(`${name} is not drawn`);
        await page.mouse.move(line.x + 5, line.y + line.height / 2);
        await page.mouse.down();
        await page.waitForTimeout(60);
        expect((await control.boundingBox())?.y, `${name} stays`).toBe(before.y);
        await page.mouse.up();
        expect(await page.evaluate(() => (window as { hit?: boolean }).hit), `${name} is hit`).toBe(true);
        await page.keyboard.press('Escape');
      }
    }
  });
}

test.describe('with a finger', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('a message does not move the box that is tapped', async ({ page }) => {
    await page.goto('/quote');
    await page.locator('form [name="description"]').fill('Gate "B"; after 9');
    await page.locator('label.field-check').tap();
    await expect(page.locator('form [name="emergencyContact"]')).toBeChecked();
    await expect(page.locator('#description-error')).toBeVisible();
  });
});

test('the banner shows the reference, and the number to one who asks for a call right away', async ({
  page,
}) => {
  await page.goto('/quote');
  await fillQuote(page, { location: `Pasadena ${Date.now()}` });
  await send(page);
  const facts = page.locator('.banner-facts');
  await expect(facts).toHaveText(/^Your reference: GP-[2-9B-Z]{4}$/);
  await fillQuote(page, { location: `Pasadena ${Date.now()}` });
  await page.locator('form [name="emergencyContact"]').check();
  await send(page);
  await expect(facts).toContainText('We will call you within 30 minutes. If you cannot wait, call us now:');
  await expect(facts.getByRole('link')).toHaveAttribute('href', 'tel:+17135550142');
});

test('the banner of a success goes when the form is edited, and when the next try fails', async ({
  page,
}) => {
  await page.goto('/quote');
  const banner = page.getByText('Quote Request Submitted Successfully!');
  await fillQuote(page, { location: `Katy ${Date.now()}` });
  await send(page);
  await expect(banner).toBeVisible();
  await page.locator('form [name="firstName"]').pressSequentially('A');
  await expect(banner).toBeHidden();
  await fillQuote(page, { location: `Katy ${Date.now()}` });
  await send(page);
  await expect(banner).toBeVisible();
  await send(page);
  await expect(page.getByText('Validation Error')).toBeVisible();
  await expect(banner).toBeHidden();
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
  expect(said.length).toBeGreaterThan(0);
});

test('a draft is restored without the personal data', async ({ page }) => {
  await page.goto('/quote');
  await fillQuote(page);
  await page.goto('/about');
  await page.goto('/quote');
  await expect(page.locator('[name="serviceType"]')).toHaveValue('fire-watch');
  await expect(page.locator('[name="startDate"]')).toHaveValue('2099-12-01');
  await expect(page.locator('[name="email"]')).toHaveValue('');
});

test('the attribution is sent with the quote', async ({ page, server }) => {
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

test('the first page of a visit is recorded even if the visitor leaves it before the script runs', async ({
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
  test(`where a visit came from ${signal ? `is not sent against ${signal}` : 'is sent with the form'}`, async ({
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
