// An offer from the request to the receipt, by real presses: rates, draft, sending, the customer's
// page on a phone without JavaScript, acceptance. And once by keyboard only.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { createQuote, openDeskWithQuote, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';
import { checkLayout } from '../layout-checks';

/** Publishes the rates as they are, unless another test of this server has. */
async function publishRates(page: Page) {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/rates');
  await expect(page.getByRole('heading', { name: 'Rates', level: 1 })).toBeVisible();
  await expect(page.getByText(/prices of a sample|^Version \d+, published/)).toBeVisible();
  const ours = page.getByLabel('These are our prices and conditions');
  if (!(await ours.isVisible())) return;
  await expect(page.getByRole('button', { name: 'Publish rates' })).toBeDisabled();
  await expect(page.getByText('Not published yet.')).toBeVisible();
  await expect(page.locator('.rates-sample').first()).toContainText('sample');
  // Nothing that is marked as a sample can be sent.
  await page.getByText('Insurance, validity, conditions, consent').click();
  await page.getByLabel('Insurance line (optional)').fill('General liability $1,000,000');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await ours.check();
  await page.getByRole('button', { name: 'Publish rates' }).click();
  await expect(page.locator('.toast')).toContainText('Rates published');
  await expect(page.getByText(/^Version 1, published/)).toBeVisible();
}

test('an offer goes from the request to the receipt', async ({ page, request, server, browser }) => {
  test.setTimeout(120_000);
  await publishRates(page);
  const place = uniqueLocation();
  await createQuote(request, place);
  await page.goto(`/admin?q=${encodeURIComponent(place.split(',')[0] ?? '')}`);
  await rowOf(page, place).locator('.row-link').click();
  const panel = page.getByRole('complementary');

  // The commonest offer: three presses, and far less than a minute.
  const begun = Date.now();
  await panel.getByRole('button', { name: 'Make an offer' }).click();
  await expect(panel.getByLabel('Officers', { exact: true })).toHaveValue('fire-watch');
  await expect(panel.getByLabel('First day')).toHaveValue('2099-12-01');
  await expect(panel.getByLabel('Last day')).toHaveValue('2099-12-07');
  await expect(panel.getByRole('region', { name: 'Price' })).toContainText('× 1 officer × $34.00');
  const total = (await panel.locator('.offer-total strong').textContent()) ?? '';
  expect(total).toMatch(/^\$6,\d{3}\.\d\d$/);
  await checkLayout(page, 'offer editor');
  // The customer's page opens below the form in a narrow window.
  await page.setViewportSize({ width: 768, height: 900 });
  await panel.getByRole('button', { name: 'Preview' }).click();
  const preview = panel.getByRole('region', { name: 'Preview' });
  await expect(preview.frameLocator('iframe').locator('.lead')).toContainText(total);
  await expect(preview).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 900 });
  // It is refused until a person has confirmed the days and hours, which no one has said plainly.
  await panel.getByRole('button', { name: 'Send offer' }).click();
  const confirm = panel.getByRole('button', { name: 'Confirm days and hours' });
  await expect(confirm).toBeFocused();
  await checkLayout(page, 'schedule to confirm');
  await confirm.click();
  await panel.getByRole('button', { name: 'Send offer' }).click();
  await expect(page.getByText('It leaves in ten seconds.')).toBeVisible();
  expect(Date.now() - begun).toBeLessThan(60_000);

  // It is taken back by the desk's key, and its draft is kept.
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('is not sent');
  await panel.getByRole('button', { name: 'Go on with the draft' }).click();
  await panel.getByLabel(/^Message to Marta/).fill('We can be there on December 1.');
  await expect(panel.getByText('Draft saved.')).toBeVisible();
  await panel.getByRole('button', { name: 'Send offer' }).click();
  const card = panel.getByRole('article');
  await expect(card).toContainText('Waiting');
  await expect(card).toContainText(total);
  await checkLayout(page, 'offer in the panel');
  const path = (await card.getByRole('link', { name: 'Customer’s page' }).getAttribute('href')) ?? '';
  const number = (await card.locator('strong').textContent()) ?? '';
  await server.waitForEmail(number);

  // The customer's page on a phone, without JavaScript.
  const phone = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
    baseURL: server.url,
  });
  const theirs = await phone.newPage();
  await theirs.goto(path);
  await expect(theirs.locator('main')).toContainText('We can be there on December 1.');
  await expect(theirs.locator('main')).toContainText(total);
  await theirs.getByLabel('Your name').fill('Marta Núñez');
  await theirs.getByLabel('Your email address').fill('marta@property.example');
  await theirs.locator('#consent').check();
  await theirs.getByRole('button', { name: 'Accept this offer' }).click();
  await expect(theirs.getByRole('link', { name: 'Receipt (PDF)' })).toBeVisible();
  await phone.close();

  // The desk hears of it at once.
  await expect(card).toContainText('Accepted');
  await expect(card).toContainText('Marta Núñez');
  const receipt = page.waitForEvent('download');
  await card.getByRole('button', { name: `Receipt of ${number}` }).click();
  expect(
    readFileSync(await (await receipt).path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  await page.goto('/admin/offers?show=accepted');
  const row = page.getByRole('listitem').filter({ hasText: number });
  await expect(row).toContainText(total);
  await checkLayout(page, 'offers');
  await page.getByLabel('Search offers').fill(number.toLowerCase());
  await expect(page).toHaveURL(/q=gp-/);
  await expect(page.getByText(/^1 offer: \$/)).toBeVisible();
  await expect(row).toBeVisible();
  const tabs = page.getByRole('navigation', { name: 'Offers by state' });
  await expect(tabs.getByRole('link')).toHaveText([
    /^Waiting 0$/,
    /^Accepted 1$/,
    /^To be confirmed 1$/,
    /^All 1$/,
  ]);
  await tabs.getByRole('link', { name: 'Waiting' }).click();
  await expect(page.getByText(`No offer here has “${number.toLowerCase()}”.`)).toBeVisible();
  await page.getByLabel('Search offers').fill('');
  await expect(page).not.toHaveURL(/q=/);
});

test('an offer is made and sent by keyboard only', async ({ page, request, browser }) => {
  const other = await browser.newPage();
  await publishRates(other);
  await other.close();
  await openDeskWithQuote(page, request, { duration: 'ongoing' });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Make an offer' })).toBeVisible();
  await page.keyboard.press('o');
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: /^Offer GP-/ })).toBeFocused();
  await expect(panel.locator('.offer-total')).toContainText('Each week');
  let presses = 3;
  for (const name of ['Confirm days and hours', 'Send offer']) {
    const wanted = panel.getByRole('button', { name });
    while (presses < 60 && !(await wanted.evaluate((button) => button === document.activeElement))) {
      await page.keyboard.press('Tab');
      presses += 1;
    }
    await page.keyboard.press('Enter');
  }
  await expect(page.getByText('It leaves in ten seconds.')).toBeVisible();
  expect(presses, 'the links of the preview are passed over').toBeLessThan(40);
  await expect(panel.getByRole('article')).toContainText('a week');
});

test('prices stand side by side, and an example offer follows what is typed', async ({ page }) => {
  test.slow();
  await publishRates(page);
  const price = page.getByLabel('Price ($) of Fire watch officer');
  for (const name of ['Armed officer', 'Unarmed officer', 'Supervisor'])
    await expect(page.getByLabel(`Price ($) of ${name}`)).toBeVisible();
  const example = page.getByRole('complementary', { name: 'Example offer' });
  await example.getByLabel('Class').selectOption('Fire watch officer');
  await expect(example.getByRole('table')).toContainText('Fire watch officer');
  const total = example.locator('.offer-total strong');
  const before = (await total.textContent()) ?? '';
  const shown = await price.inputValue();
  await price.fill('99.00');
  await expect(example).toContainText('$99.00');
  await expect(total).not.toHaveText(before);
  // What cannot be read keeps the last total, and says so.
  const last = (await total.textContent()) ?? '';
  await price.fill('about a hundred');
  await expect(example).toContainText('Of the last complete state');
  await expect(total).toHaveText(last);
  await expect(page.getByText('Enter an amount, such as 34.50.').first()).toBeVisible();
  await price.fill(shown);
  await expect(total).toHaveText(before);
  await page.getByRole('button', { name: 'Add a class' }).click();
  await expect(page.getByLabel('Name of the new class')).toBeFocused();
  await checkLayout(page, 'classes and an example');
  await page.getByRole('button', { name: 'Remove the new class' }).click();
  await page.getByRole('button', { name: /^Discard/ }).click();
  await page.getByRole('button', { name: /^Really discard/ }).click();
  await expect(page.getByText('As published.')).toBeVisible();
  // The site's page of prices and the rates lead to each other.
  await page.getByRole('link', { name: 'open its prices page in the editor' }).click();
  await page.getByRole('link', { name: 'the rates', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Rates', level: 1 })).toBeVisible();
});

test('a wrong rate is marked at its place, and published when it is mended', async ({ page }) => {
  test.slow();
  await publishRates(page);
  await page.getByText('Nights, weekends, holidays, travel').click();
  await page.getByLabel('Added at night ($ an hour)').fill('two dollars');
  await expect(page.getByText('Enter an amount, such as 34.50.')).toBeVisible();
  // From the top, so that the bar at the foot of the window lies over no part of a control.
  await page.evaluate(() => scrollTo(0, 0));
  await checkLayout(page, 'rates');
  await page.getByLabel('Added at night ($ an hour)').fill('2.50');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await page.reload();
  await page.getByText('Nights, weekends, holidays, travel').click();
  await expect(page.getByLabel('Added at night ($ an hour)')).toHaveValue('2.50');
  await page.getByRole('button', { name: 'Publish rates' }).click();
  await expect(page.locator('.toast')).toContainText('Rates published');
  const history = page.getByRole('region', { name: 'History' });
  const newest = history.getByRole('listitem').first();
  await expect(newest).toContainText(/^Version \d+, by dispatch@guardpost\.example, /);
  await expect(newest).toContainText('In force');
  await newest.getByText('What changed').press('Enter');
  await expect(newest).toContainText('Nights, weekends, holidays, travel, Added at night ($ an hour)');
  await expect(newest).toContainText('2.00 is now 2.50');
  // Until it ends, the message at the foot of the window lies over a part of a control.
  await expect(page.locator('.toast')).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, 0));
  await checkLayout(page, 'history of the rates');
});
