// The fields of both forms in the browser: checks, messages, corrections, drafts (specification
// sections 4, 5, 7, 8, 9).
import { expect, fillQuote, send, test } from '../fixtures';
import { widths } from '../layout-checks';

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

test('HTML is stripped as it is typed, and "don\'t" is not rejected', async ({ page }) => {
  await page.goto('/contact');
  await page.locator('[name="firstName"]').pressSequentially('A<b>n</b>a');
  await expect(page.locator('[name="firstName"]')).toHaveValue('Ana');
  await page.locator('[name="details"]').pressSequentially("We don't know");
  await expect(page.locator('[name="details"]')).toHaveValue('We don’t know');
});

test('straight quotes become typographic as they are typed, in both forms', async ({ page }) => {
  for (const path of ['/quote', '/contact']) {
    await page.goto(path);
    await page.locator('form textarea').pressSequentially(`"North" gate, don't wait`);
    await expect(page.locator('form textarea')).toHaveValue('“North” gate, don’t wait');
  }
});

test('the browser’s undo takes a typographic quote back, and leaving the field makes it typographic', async ({
  page,
}) => {
  for (const path of ['/quote', '/contact']) {
    await page.goto(path);
    const text = page.locator('form textarea');
    await text.pressSequentially('The north gate, "B"');
    await expect(text).toHaveValue('The north gate, “B”');
    await page.keyboard.press('Control+z');
    await expect(text).toHaveValue('The north gate, “B"');
    await page.keyboard.type(' and "C"');
    await expect(text).toHaveValue('The north gate, “B" and "C"');
    await page.keyboard.press('Tab');
    await expect(text).toHaveValue('The north gate, “B” and “C”');
    await expect(page.locator(`#${await text.getAttribute('name')}-error`)).toBeHidden();
    // A quote in the middle leaves the caret behind it.
    await text.focus();
    await page.keyboard.press('Home');
    await page.keyboard.type('"A" or ');
    await expect(text).toHaveValue('“A” or The north gate, “B” and “C”');
  }
});

test('a misspelled mail domain gets a question, and one press corrects it', async ({ page }) => {
  await page.goto('/quote');
  await page.locator('form [name="email"]').fill('ana@gmial.com');
  await page.locator('form [name="phone"]').focus();
  await page.getByRole('button', { name: 'Use ana@gmail.com' }).click();
  await expect(page.locator('form [name="email"]')).toHaveValue('ana@gmail.com');
});

test('a fire watch is asked for a week, unless the visitor chose otherwise', async ({ page }) => {
  await page.goto('/quote?service=fire-watch');
  await expect(page.locator('form [name="duration"]')).toHaveValue('1-week');
  await page.goto('/quote');
  await page.locator('form [name="duration"]').selectOption('1-month');
  await page.locator('form [name="serviceType"]').selectOption('fire-watch');
  await expect(page.locator('form [name="duration"]')).toHaveValue('1-month');
});

test('where a rule rejects a text, a button corrects it in place', async ({ page }) => {
  await page.goto('/quote');
  await page.locator('form [name="description"]').fill('Gate "B"; after 9');
  await page.locator('[name="company"]').focus();
  await expect(page.locator('#description-error')).toContainText('Invalid characters in description');
  await expect(page.locator('.field-fix')).toContainText('We cannot take ;. Instead: “Gate “B”, after 9”');
  await page.getByRole('button', { name: 'Fix it for me' }).click();
  await expect(page.locator('#description-error')).toBeHidden();
  await expect(page.locator('form [name="description"]')).toHaveValue('Gate “B”, after 9');
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
    await page
      .getByRole('button', { name: 'Use Acme Inc. West and add your spelling to the message' })
      .click();
    await expect(page.locator('#company-error')).toBeHidden();
    await expect(page.locator('form [name="company"]')).toHaveValue('Acme Inc. West');
    await page.getByRole('button', { name: 'Use (713) 555-0142 and add the rest to the message' }).click();
    await expect(page.locator('#phone-error')).toBeHidden();
    await expect(page.locator('form [name="phone"]')).toHaveValue('(713) 555-0142');
    await expect(message).toHaveValue(
      'Two guards\nCompany: Acme, Inc. (West)\nPhone number: (713) 555-0142 x12',
    );
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
  await expect(page.locator('#startDate-error')).toHaveText(
    'This date is in the past. Please select today or a later day',
  );
  await expect(page.locator('[name="startDate"]')).toHaveAttribute('min', await day(0));
  await page.locator('[name="startDate"]').fill(await day(0));
  await page.locator('[name="location"]').focus();
  await expect(page.locator('#startDate-error')).toBeHidden();
});

for (const width of widths) {
  test(`a message never moves what is being pressed, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ['/quote', '/contact']) {
      await page.goto(path);
      const controls = page.locator(
        'form.form :is(input, select, textarea, button, label.field-check), main a[href^="mailto:"]',
      );
      const leave = page.locator('form [name="firstName"]');
      for (const control of await controls.all()) {
        await page.evaluate(() => document.querySelector<HTMLFormElement>('form.form')?.reset());
        await leave.fill('Agent 47;');
        await page.locator('form textarea').fill('"x";');
        // The message of the previous field appears now, and not while the next one is pressed.
        await expect(page.locator('#firstName-error')).toBeVisible();
        // A link in a text may wrap: the press goes to its first line.
        const { name, top, line } = await control.evaluate((element) => {
          const hit = (event: Event) => {
            (window as { hit?: boolean }).hit = true;
            event.preventDefault();
          };
          (window as { hit?: boolean }).hit = false;
          element.addEventListener('click', hit, { once: true });
          element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
          const { top } = element.getBoundingClientRect();
          return { name: element.outerHTML.slice(0, 60), top, line: element.getClientRects()[0]?.toJSON() };
        });
        if (!line) throw new Error(`${name} is not drawn`);
        await page.mouse.move(line.x + 5, line.y + line.height / 2);
        await page.mouse.down();
        await page.waitForTimeout(60);
        const pressed = await control.evaluate((element) => element.getBoundingClientRect().top);
        expect(pressed, `${name} stays`).toBe(top);
        await page.mouse.up();
        expect(await page.evaluate(() => (window as { hit?: boolean }).hit), `${name} is hit`).toBe(true);
        await page.keyboard.press('Escape');
      }
    }
  });
}

test.describe('with a finger', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('the quote page opens with the call, above the fields, for those who cannot wait', async ({
    page,
  }) => {
    await page.goto('/quote');
    await expect(page.getByText('Fire watch tonight, or an emergency? Call us first')).toBeInViewport();
    const call = page.getByRole('main').getByRole('link', { name: 'Call (713) 555-0142' });
    await expect(call).toBeInViewport({ ratio: 1 });
    await expect(call).toHaveAttribute('href', 'tel:+17135550142');
    const [above, field] = [await call.boundingBox(), await page.locator('[name="firstName"]').boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(field?.y ?? 0);
  });

  test('a message does not move the box that is tapped', async ({ page }) => {
    await page.goto('/quote');
    await page.locator('form [name="description"]').fill('Gate "B"; after 9');
    await page.locator('label.field-check').tap();
    await expect(page.locator('form [name="emergencyContact"]')).toBeChecked();
    await expect(page.locator('#description-error')).toBeVisible();
  });
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
