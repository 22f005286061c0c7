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
    // What, when, for how much, and the way to the answer are on the first screen.
    const accept = page.getByRole('link', { name: 'Accept', exact: true });
    const box = await accept.boundingBox();
    expect((box?.y ?? 1000) + (box?.height ?? 0)).toBeLessThan(640);
    await expect(page.locator('.lead')).toContainText('Fire watch officer in');
    await expect(page.locator('main')).toContainText('Fire watch officer, 24 hours a day, 7 days');
    const widest = await page.locator('html').evaluate((html) => html.scrollWidth);
    expect(widest).toBe(320);
    // Name and address are filled in; one press accepts nothing.
    await accept.click();
    await expect(page.getByLabel('Your name')).toBeInViewport();
    await expect(page.getByLabel('Your name')).toHaveValue('Marta Núñez');
    await expect(page.getByLabel('Your email address')).toHaveValue('m***@property.example');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Accept this offer' }).click();
    await expect(page.getByRole('status')).toContainText('was accepted by Marta Núñez on');
    const receipt = await page.getByRole('link', { name: 'Receipt (PDF)' }).getAttribute('href');
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
  await page.goto(link);
  for (const summary of await page.locator('main summary').all()) await summary.click();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Your question').fill('Is parking included?');
  await page.getByRole('button', { name: 'Send the question' }).click();
  await expect(page.getByRole('status')).toContainText('We have your question');
  await expect(page.getByRole('status')).toBeFocused();
  expect(await violations(page)).toEqual([]);
  // A field that is wrong.
  await page.locator('#accept form').evaluate((form) => form.setAttribute('novalidate', ''));
  await page.getByLabel('Your name').fill('');
  await page.getByRole('button', { name: 'Accept this offer' }).click();
  await expect(page.locator('#name-error')).toHaveText('Type your first and last name.');
  expect(await violations(page)).toEqual([]);
  await page.goto('/offer/verify');
  expect(await violations(page)).toEqual([]);
  await page.goto('/offer/nothing');
  await expect(page.getByText('There is no offer under this link')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test('a printed page has all conditions and no forms', async ({ page, request }) => {
  const { link } = await sentOffer(request);
  await page.goto(link);
  const condition = page.getByText('We invoice every two weeks');
  await expect(condition).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(condition).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept this offer' })).toBeHidden();
  await expect(page.getByText('By accepting you say')).toBeVisible();
});

test('the links to a question and a decline open their forms', async ({ page, request }) => {
  const { link } = await sentOffer(request);
  await page.goto(link);
  const answers = page.locator('.answers');
  await answers.getByRole('link', { name: 'Ask a question' }).click();
  await expect(page.getByLabel('Your question')).toBeInViewport();
  await answers.getByRole('link', { name: 'Decline' }).click();
  await expect(page.getByLabel('Why (optional)')).toBeInViewport();
});

test('the page fits a screen of 320 px at twice the size of the text', async ({ page, request }) => {
  const { link } = await sentOffer(request);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(link);
  expect(await violations(page)).toEqual([]);
  await page.locator('html').evaluate((html) => html.style.setProperty('font-size', '200%'));
  const widest = await page.locator('html').evaluate((html) => html.scrollWidth);
  expect(widest).toBe(320);
});

test('on a phone the form of an acceptance begins within a screen of the price', async ({
  page,
  request,
}) => {
  const { link } = await sentOffer(request);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(link);
  const top = async (what: string) => (await page.locator(what).boundingBox())?.y ?? Number.NaN;
  expect((await top('#accept')) - (await top('.sum'))).toBeLessThanOrEqual(844);
});
