// The alarm of an emergency: seen and heard on every page until it is taken or opened.
import type { Page } from '@playwright/test';
import { alertsOf, blockSound, emergency, record, timesRung } from '../alert-recorder';
import { createQuote, kim, openDeskWithQuote, putOnCall, uniqueLocation, urgent } from '../desk-helpers';
import { expect, expectDashboard, signIn } from '../fixtures';
import { openWithSound, test } from '../own-server';

const barOf = (page: Page) => page.locator('.alarm-bar');

const pages = [
  ['Requests', 'Admin Dashboard'],
  ['Offers', 'Offers'],
  ['On call', 'On call'],
  ['Site', 'Site'],
  ['Users', 'Users'],
  ['Account', 'Account'],
] as const;

test('an emergency is heard and seen on every page, until it is taken there', async ({ page, request }) => {
  await openWithSound(page);
  for (const [at, [link, heading]] of pages.entries()) {
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: link }).click();
    await expect(page.getByRole('heading', { name: heading, exact: true, level: 1 })).toBeVisible();
    const plain = (await page.title()).replace(/^\([0-9]+\) /, '');
    const place = uniqueLocation();
    await createQuote(request, place, urgent);
    const bar = barOf(page);
    await expect(bar).toContainText(`Fire Watch, ${place}`);
    await expect(bar).toContainText('Marta Núñez');
    await expect(bar.getByRole('link', { name: 'Call (713) 555-0188, Marta Núñez' })).toHaveAttribute(
      'href',
      'tel:+17135550188',
    );
    await expect(page).toHaveTitle(`(1) EMERGENCY ${place.split(',')[0]}, fire watch`);
    await expect.poll(() => timesRung(page), link).toBe(at + 1);
    await bar.getByRole('button', { name: /^Take it/ }).click({ delay: 50 });
    await expect(page.locator('.toast')).toContainText('is yours');
    await expect(bar).toHaveCount(0);
    // The list counts what waits behind its button.
    await expect(page).toHaveTitle(at === 0 ? `(1) ${plain}` : plain);
  }
  const { tones } = await alertsOf(page);
  expect(tones).toEqual(pages.flatMap(() => emergency));
});

test('in every list there is the alarm; a colleague who opens it ends it for all, and g leads to it', async ({
  page,
  browser,
  own,
  request,
}) => {
  await openWithSound(page);
  const { account } = await kim(own, request);
  const other = await browser.newPage({ baseURL: own.url });
  await signIn(other, account);
  await expectDashboard(other);
  const lists = ['?view=mine', '?view=messages', '?q=nothing', '?service=mobile-patrol', '?view=unmatched'];
  for (const list of lists) {
    await other.goto(`/admin${list}`);
    const place = uniqueLocation();
    await createQuote(request, place, urgent);
    await expect(barOf(other)).toContainText(place);
    await expect(barOf(page)).toContainText(place);
    await other.locator('h1').first().focus();
    await other.keyboard.press('g');
    await expect(other.getByRole('complementary')).toContainText(place);
    await expect(barOf(other)).toHaveCount(0);
    await expect(barOf(page)).toHaveCount(0);
  }
  await other.close();
});

test('several emergencies are one bar with a list, and the focus stays in it', async ({ page, request }) => {
  await openWithSound(page);
  const [first, second] = [uniqueLocation(), uniqueLocation()];
  await createQuote(request, first, urgent);
  await createQuote(request, second, urgent);
  const bar = barOf(page);
  await expect(bar).toContainText('2 EMERGENCIES');
  await expect(bar).toContainText(first);
  await expect(bar).not.toContainText(second);
  await expect(page).toHaveTitle(`(2) EMERGENCY ${first.split(',')[0]}, fire watch`);
  await bar.getByRole('button', { name: '1 more' }).click();
  await expect(bar.getByRole('listitem')).toHaveCount(2);
  await bar.getByRole('link', { name: first }).first().focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(bar.getByRole('listitem')).toHaveCount(1);
  await expect(bar).toContainText(second);
  await expect(bar.getByRole('link', { name: second })).toBeFocused();
  // The menu at its end is on paper: the bar's white would be invisible there.
  await page.locator('.alerts > summary').click();
  const color = await page.locator('main').evaluate((main) => getComputedStyle(main).color);
  await expect(page.getByText('Sound', { exact: true })).toHaveCSS('color', color);
});

test('beside a long place nothing in the bar lies over something else, and on a phone it is low', async ({
  page,
  request,
}) => {
  await signIn(page);
  await expectDashboard(page);
  const place = '4400 Bellaire Boulevard, Suite 210, near the stadium, Houston, TX 77025';
  await createQuote(request, place, { ...urgent, company: 'The Bellaire and Westchase Apartments' });
  const bar = barOf(page);
  const silence = bar.getByRole('button', { name: 'Sound is off' });
  const link = bar.getByRole('link', { name: place });
  const parts = [link, bar.locator('.alarm-age'), bar.getByText('Call'), bar.getByText('Take it')];
  for (const width of [390, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(silence).toBeVisible();
    const cut = await silence.evaluate((button) => button.scrollWidth - button.clientWidth);
    expect.soft(cut, `at ${width} px`).toBeLessThanOrEqual(0);
    const height = width === 390 ? 120 : 46;
    expect.soft((await bar.boundingBox())?.height, `height at ${width} px`).toBeLessThanOrEqual(height);
    for (const part of parts) await expect.soft(part, `at ${width} px`).toBeInViewport({ ratio: 1 });
    const box = await link.boundingBox();
    expect.soft(box?.width, `the place at ${width} px`).toBeGreaterThan(150);
  }
  await expect(link).toHaveAttribute('title', `Fire Watch, ${place}`);
});

test('the tone goes on every ten seconds for a minute, then each minute; a page without a press says that it is blocked', async ({
  page,
  context,
  request,
}) => {
  await page.clock.install();
  await openWithSound(page);
  await createQuote(request, uniqueLocation(), urgent);
  await expect(barOf(page)).toBeVisible();
  await expect.poll(() => timesRung(page)).toBe(1);
  // Time passes by itself too: repeat.test.ts has the exact times.
  await page.clock.runFor(60_000);
  expect(await timesRung(page)).toBe(7);
  await page.clock.runFor(40_000);
  expect(await timesRung(page)).toBe(7);
  await page.clock.runFor(20_000);
  expect(await timesRung(page)).toBe(8);
  await page.close();
  const fresh = await context.newPage();
  await record(fresh, 'granted');
  await blockSound(fresh);
  await fresh.goto('/admin');
  // The lock of the closed page is looked for every two seconds.
  await expect(barOf(fresh)).toContainText('Sound is blocked: press anywhere.');
  expect(await timesRung(fresh)).toBe(0);
  await fresh.getByRole('heading', { name: 'Admin Dashboard' }).click();
  await expect(barOf(fresh)).not.toContainText('blocked');
  await expect.poll(() => timesRung(fresh)).toBe(1);
});

test('whoever is on call is asked once to switch the sound on', async ({ page, request }) => {
  await putOnCall(request);
  await signIn(page);
  await expect(page.getByText('You are on call, and sound is off.')).toBeVisible();
  await page.getByRole('button', { name: 'Leave it off' }).click();
  await expect(page.getByText('Sound is off.', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Sound is off.', { exact: true })).toBeVisible();
  await expect(page.getByText('You are on call')).toHaveCount(0);
});

test('an emergency by phone raises the alarm, unless the typist takes it on', async ({ page, request }) => {
  await openDeskWithQuote(page, request);
  const form = page.getByRole('form', { name: 'Request by phone' });
  const bar = page.locator('.alarm-bar');
  for (const choice of ['I take it on', 'Raise the alarm']) {
    const place = uniqueLocation();
    await page.keyboard.press('p');
    await form.getByLabel('First name').fill('Nadia');
    await form.getByLabel('Last name').fill('Osei');
    await form.getByLabel('Phone number').fill('713 555 0199');
    await form.getByLabel('Service type').selectOption('Fire Watch');
    await form.getByLabel('Location').fill(place);
    await form.getByLabel('Start date').fill('2099-12-01');
    await form.getByLabel('Duration').selectOption('1 week');
    await form.getByLabel(/Emergency/).check();
    await expect(form.getByLabel('Today')).toBeHidden();
    await form.getByLabel(choice).check();
    await page.keyboard.press('Control+Enter');
    await expect(page.locator('.toast')).toContainText('Phone request stored');
    const isAlarm = choice === 'Raise the alarm';
    await expect(bar.filter({ hasText: place })).toHaveCount(isAlarm ? 1 : 0);
    await expect(page.getByRole('complementary')).toHaveCount(isAlarm ? 0 : 1);
    await page.keyboard.press('Escape');
  }
  await bar.getByRole('button', { name: /^Take it/ }).click();
});
