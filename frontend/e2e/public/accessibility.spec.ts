// WCAG 2.2 AA by axe-core: every route at phone to desktop widths, and every state of the
// interface.
import type { Page } from '@playwright/test';
import { expect, fillQuote, send, test } from '../fixtures';
import { clippedText, doubleText, overflowWidth, widths } from '../layout-checks';
import { all, kinds, longest } from '../routes';
import { violations } from '../violations';

/**
 * Where a list of links scrolls behind the phone's bottom bar, axe reports half-covered links as
 * small targets.
 */
async function unfixBottomBar(page: Page): Promise<void> {
  await page.locator('.bottom-bar').evaluate((bar) => {
    bar.style.position = 'static';
  });
}

const routes = [...all, '/no/such/page', '/admin'];

/** The state pages share one template: axe checks the longest ones. */
const isForAxe = (path: string) => !path.startsWith('/states/') || [...kinds, ...longest].includes(path);

// In parts, so that several workers share the routes.
for (const part of widths.keys()) {
  test(`no route has a violation or scrolls sideways (part ${part + 1})`, async ({ page }) => {
    test.setTimeout(240_000);
    for (const path of routes.filter((_, index) => index % widths.length === part)) {
      await page.goto(path);
      if (path.startsWith('/api/docs') || path === '/no/such/page') await unfixBottomBar(page);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        const at = `${path} at ${width} px`;
        expect.soft(await overflowWidth(page), `${at} scrolls sideways`).toBeLessThanOrEqual(0);
        if (isForAxe(path)) expect.soft(await violations(page), at).toEqual([]);
      }
    }
  });
}

test('no state of the forms has a violation', async ({ page }) => {
  // Links half covered by the header while the page scrolls to the first error are not small
  // targets either.
  const toTop = () => page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  // A toast that fades in has less contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/quote');
  await send(page);
  await toTop();
  expect(await violations(page), 'refused').toEqual([]);
  await fillQuote(page);
  await send(page);
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  expect(await violations(page), 'sent').toEqual([]);
  await page.goto('/contact');
  await send(page);
  await toTop();
  expect(await violations(page), 'contact refused').toEqual([]);
});

for (const path of [...kinds, ...longest, '/api/docs', '/admin']) {
  test(`${path} can be read at every width with text at 200 %`, async ({ page }) => {
    await page.goto(path);
    await doubleText(page);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      expect.soft(await overflowWidth(page), `scrolls sideways at ${width} px`).toBeLessThanOrEqual(0);
      expect.soft(await clippedText(page), `at ${width} px`).toEqual([]);
    }
  });
}

test('the open menu and form messages can be read on a phone with text at 200 %', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/quote', '/contact']) {
    await page.goto(path);
    await doubleText(page);
    await send(page);
    await expect(page.locator('.field-error:visible').first()).toBeVisible();
    expect(await clippedText(page), `${path} refused`).toEqual([]);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.locator('details.menu > summary').click();
    await page.locator('.menu-services > summary').first().click();
    expect(await clippedText(page), `${path} with its menu open`).toEqual([]);
    expect(await overflowWidth(page), `${path} scrolls sideways`).toBeLessThanOrEqual(0);
  }
  await page.goto('/quote?sent=1');
  await doubleText(page);
  expect(await clippedText(page), 'sent').toEqual([]);
});

test('a form is never under the bottom bar', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/', '/contact', '/quote', '/careers']) {
    await page.goto(path);
    for (const field of await page
      .locator('form :is(input:not([type=hidden]), select, textarea, button)')
      .all()) {
      const covered = await field.evaluate(async (element) => {
        const { top, height } = element.getBoundingClientRect();
        scrollBy({ top: top + height / 2 - (innerHeight - 20), behavior: 'instant' });
        // The bar goes with the frame that shows the form.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        const box = element.getBoundingClientRect();
        return !element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
      });
      expect(covered, `${path} ${await field.getAttribute('name')}`).toBe(false);
    }
  }
});

for (const path of [...kinds, '/api/docs', '/admin']) {
  test(`${path} has no violation in dark mode`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(path);
    expect(await violations(page)).toEqual([]);
  });

  test(`${path} has no violation in forced colours`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(path);
    // The system's colors replace ours: our styles say nothing about the contrast.
    expect(await violations(page, { without: ['color-contrast'] })).toEqual([]);
  });
}

test('an open menu has no violation', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.locator('details.menu > summary').click();
  expect(await violations(page)).toEqual([]);
});

test('the keyboard alone gets from the skip link to a sent quote, and focus is never hidden', async ({
  page,
}) => {
  await page.goto('/quote');
  await page.keyboard.press('Tab');
  await expect(page.locator(':focus')).toHaveText(/Skip/);
  await page.keyboard.press('Enter');
  const type = async (text: string) => {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  };
  await page.locator('[name="firstName"]').focus();
  for (const text of ['Marta', 'Diaz', 'marta@property.example', '(713) 555-0188', '']) await type(text);
  await page.locator('[name="serviceType"]').selectOption('fire-watch');
  await page.locator('[name="duration"]').selectOption('1-week');
  await page.locator('[name="location"]').focus();
  await page.keyboard.type('Houston');
  await page.locator('[name="startDate"]').fill('2099-12-01');
  await page.locator('form.form button[type="submit"]').focus();
  const covered = await page.evaluate(() => {
    const box = document.activeElement?.getBoundingClientRect();
    if (!box) return 'nothing has focus';
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return document.activeElement?.contains(top) ? '' : `covered by ${top?.className}`;
  });
  expect(covered).toBe('');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
});
