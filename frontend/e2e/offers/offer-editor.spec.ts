// The editor of an offer: how few inputs the commonest offer takes, lines by hand and a discount,
// and an answer on the customer's behalf.
import type { Page } from '@playwright/test';
import { createQuote, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';
import { checkLayout } from '../layout-checks';
import { publishedRates, sentOffer } from './offer-helpers';

/**
 * Counts what a person does from now on: a press is one, a field that is reached and filled two.
 */
async function countInputs(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { inputs: 0 };
    Object.assign(window, { counted });
    addEventListener('pointerdown', () => (counted.inputs += 1), true);
    addEventListener('keydown', () => (counted.inputs += 1), true);
    const isBox = (field: EventTarget | null) => (field as HTMLInputElement).type === 'checkbox';
    addEventListener('input', ({ target }) => (counted.inputs += isBox(target) ? 0 : 2), true);
  });
  return () => page.evaluate(() => (window as unknown as { counted: { inputs: number } }).counted.inputs);
}

/** Opens the request at `place` on the desk and begins an offer, counting from there. */
async function beginOffer(page: Page, place: string) {
  await page.goto(`/admin?q=${encodeURIComponent(place.split(',')[0] ?? '')}`);
  await rowOf(page, place).locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('button', { name: 'Make an offer' })).toBeVisible();
  const inputs = await countInputs(page);
  const begun = Date.now();
  await panel.getByRole('button', { name: 'Make an offer' }).click();
  await expect(panel.getByRole('region', { name: 'Price' })).toContainText('officer');
  return { panel, inputs, seconds: () => (Date.now() - begun) / 1000 };
}

test('a week of fire watch by one officer takes three inputs if the visitor asked for it, and few if not', async ({
  page,
  request,
}) => {
  await publishedRates(request);
  const asked = uniqueLocation();
  await createQuote(request, asked);
  await signIn(page);
  await expectDashboard(page);
  const known = await beginOffer(page, asked);
  await expect(known.panel.getByRole('region', { name: 'Price' })).toContainText('× 1 officer × $34.00');
  const total = (await known.panel.locator('.offer-total strong').textContent()) ?? '';
  await known.panel.getByRole('button', { name: 'Confirm days and hours' }).click();
  await known.panel.getByRole('button', { name: 'Send offer' }).click();
  await expect(page.getByText('It leaves in ten seconds.')).toBeVisible();
  expect(await known.inputs()).toBe(3);
  expect(known.seconds()).toBeLessThan(60);

  // A request for something else: the dispatcher has heard by phone what is needed.
  const other = uniqueLocation();
  const wanted = { service_type: 'armed-security', duration: 'ongoing', start_date: '2099-11-02' };
  await createQuote(request, other, wanted);
  const told = await beginOffer(page, other);
  await told.panel.getByLabel('First day').fill('2099-12-01');
  await told.panel.getByLabel('Ongoing').uncheck();
  await told.panel.getByLabel('Officers', { exact: true }).selectOption('fire-watch');
  await told.panel.getByRole('button', { name: 'Confirm days and hours' }).click();
  await expect(told.panel.getByLabel('Last day')).toHaveValue('2099-12-07');
  await expect(told.panel.locator('.offer-total strong')).toHaveText(total);
  await told.panel.getByRole('button', { name: 'Send offer' }).click();
  await expect(page.getByText('It leaves in ten seconds.').last()).toBeVisible();
  expect(await told.inputs()).toBeLessThanOrEqual(12);
  expect(told.seconds()).toBeLessThan(60);
});

test('lines by hand and a discount with its reason are marked, priced and sent', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000);
  await publishedRates(request);
  const place = uniqueLocation();
  await createQuote(request, place);
  await signIn(page);
  await expectDashboard(page);
  const { panel } = await beginOffer(page, place);
  const price = panel.getByRole('region', { name: 'Price' });
  const total = panel.locator('.offer-total strong');
  const before = await total.textContent();
  await panel.getByRole('button', { name: 'Confirm days and hours' }).click();
  await panel.getByText('Lines by hand, discount, tax exemption').click();
  await panel.getByRole('button', { name: 'Add a line' }).click();
  // While the line is unfinished, the price is the last one, and says so.
  await expect(price).toContainText('Of the last complete state. To do:');
  await expect(price).toContainText('Enter an amount, such as 125.00.');
  await expect(total).toHaveText(before ?? '');
  await panel.getByLabel('What for').fill('Rental of a guard house');
  await panel.getByLabel('Amount ($)').fill('1,250');
  await panel.getByLabel('Sales tax', { exact: true }).selectOption('No tax');
  await expect(price.getByRole('row', { name: /^Rental of a guard house/ })).toContainText('by hand');
  await expect(price).not.toContainText('last complete');
  await expect(price.getByRole('row', { name: /^Rental of a guard house/ })).toContainText('$1,250.00');
  await panel.getByLabel('Discount').check();
  await panel.getByLabel('% or dollars').fill('10%');
  await panel.getByRole('button', { name: 'Send offer' }).click();
  const reason = panel.getByLabel('Reason');
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAttribute('aria-invalid', 'true');
  await checkLayout(page, 'lines by hand with a fault');
  await reason.fill('Second site of the same owner');
  await expect(price.getByRole('row', { name: /^Discount/ })).toContainText('Second site of the same owner');
  await expect(total).not.toHaveText(before ?? '');
  const sum = (await total.textContent()) ?? '';
  await checkLayout(page, 'lines by hand and a discount');
  await expect(panel.getByText('Draft saved.')).toBeVisible();
  await panel.getByRole('button', { name: 'Send offer' }).click();
  const card = panel.getByRole('article');
  await expect(card).toContainText(sum);
  const path = (await card.getByRole('link', { name: 'Customer’s page' }).getAttribute('href')) ?? '';
  const theirs = await browser.newPage({ baseURL });
  await theirs.goto(path);
  for (const words of ['Rental of a guard house', 'Second site of the same owner', sum])
    await expect(theirs.locator('main')).toContainText(words);
  await theirs.close();
});

test('the real page and the real PDF are beside the form, in sight, and follow it', async ({
  page,
  request,
}) => {
  test.slow();
  await publishedRates(request);
  const place = uniqueLocation();
  await createQuote(request, place);
  await signIn(page);
  await expectDashboard(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const { panel } = await beginOffer(page, place);
  const preview = panel.getByRole('region', { name: 'Preview' });
  const theirs = preview.frameLocator('iframe');
  await expect(theirs.getByRole('heading', { level: 1 })).toContainText('Offer GP-');
  for (const [width, height] of [
    [1440, 900],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(theirs.getByRole('link', { name: 'Accept' })).toBeInViewport({ ratio: 1 });
    await expect(panel.locator('.offer-total strong')).toBeInViewport({ ratio: 1 });
  }
  const total = (await panel.locator('.offer-total strong').textContent()) ?? '';
  await expect(theirs.locator('.lead')).toContainText(total);
  await panel.getByLabel('How many').fill('2');
  await expect(panel.locator('.offer-total strong')).not.toHaveText(total);
  const doubled = (await panel.locator('.offer-total strong').textContent()) ?? '';
  await expect(theirs.locator('.lead')).toContainText(doubled);
  // What is unfinished changes nothing in it, but is marked.
  await panel.getByLabel('How many').fill('');
  await expect(preview.getByRole('status')).toContainText('Of the last complete state');
  await expect(theirs.locator('.lead')).toContainText(doubled);
  await panel.getByLabel('How many').fill('2');
  await expect(preview).not.toContainText('last complete');
  // Nothing is accepted in a preview.
  await theirs.getByRole('button', { name: 'Accept this offer' }).click();
  await expect(theirs.getByRole('heading', { level: 1 })).toContainText('Offer GP-');
  await preview.getByRole('button', { name: 'PDF' }).click();
  const file = (await preview.locator('iframe').getAttribute('src')) ?? '';
  expect(file).toMatch(/^\/api\/admin\/offers\/preview\/[0-9a-f]{32}\/offer\.pdf$/);
  expect((await (await request.get(file)).body()).subarray(0, 5).toString()).toBe('%PDF-');
  await checkLayout(page, 'preview beside the form');
});

test('an answer by phone is recorded on the customer’s behalf with a note', async ({
  page,
  request,
  server,
}) => {
  test.slow();
  const { id, number } = await sentOffer(request);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  const panel = page.getByRole('complementary');
  const card = panel.getByRole('article', { name: `Offer ${number}` });
  await card.getByRole('button', { name: 'They accept' }).click();
  await panel.getByRole('button', { name: 'Record the acceptance' }).click();
  await expect(panel.getByText('Say how the customer has accepted.')).toBeVisible();
  await panel.getByLabel('How did they accept?').fill('By phone at 3 p.m.');
  await panel.getByRole('button', { name: 'Record the acceptance' }).click();
  await expect(card).toContainText('Accepted');
  await expect(card).toContainText('By phone at 3 p.m.');
  await server.waitForEmail(`Subject: Accepted: offer ${number}`);
});
