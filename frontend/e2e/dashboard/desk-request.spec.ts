// The open request in the dashboard: its details, notes and calls, the printed sheet, its buttons
// on a phone.
import type { Locator } from '@playwright/test';
import { createQuote, kim, openDesk, reference, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('a link opens one request with all its details', async ({ page, request }) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?quote=${id}`);
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText(place);
  await expect(panel).toContainText('Panel is down');
  await expect(panel).toContainText('a-campaign');
  await expect(panel.getByRole('link', { name: '(713) 555-0188' })).toHaveAttribute(
    'href',
    'tel:+17135550188',
  );
  await expect(panel.getByRole('link', { name: 'marta@property.example' })).toHaveAttribute(
    'href',
    'mailto:marta@property.example',
  );
  await page.goto('/admin?quote=0192f0c1-2345-7000-8000-000000000000');
  await expect(page.getByText('There is no such request.')).toBeVisible();
});

test('a note and a call are in the history, and a reached customer stops the clock', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place, { emergency_contact: false });
  await openDesk(page, place);
  await expect(rowOf(page, place).getByText('23 h left')).toBeVisible();
  await page.goto(`/admin?view=everything&request=${id}`);
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: 'Add a note' }).click();
  await panel.getByRole('button', { name: 'Save note' }).click();
  await expect(panel.getByText('Write the note first.')).toBeVisible();
  await panel.getByLabel('Note').fill('Gate code is 7.');
  await panel.getByRole('button', { name: 'Save note' }).click();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Gate code is 7.' })).toContainText('dispatch');
  await panel.getByRole('button', { name: 'Log a call' }).click();
  await panel.getByLabel('Voicemail').check();
  await panel.getByRole('button', { name: 'Save call' }).click();
  await expect(panel.getByText('Called and left a voicemail')).toBeVisible();
  await expect(panel.getByText('Answer due')).toBeVisible();
  await panel.getByRole('button', { name: 'Log a call' }).click();
  await panel.getByLabel('Reached').check();
  await panel.getByRole('button', { name: 'Save call' }).click();
  await expect(panel.getByText('Answered', { exact: true })).toBeVisible();
});

test('a call before the last answer is folded and one key away, a note of a colleague is not', async ({
  page,
  request,
  server,
}) => {
  const id = await createQuote(request, uniqueLocation(), { emergency_contact: false });
  const { call } = await kim(server, request);
  await call('POST', `inbox/${id}/calls`, { outcome: 'voicemail' });
  await call('POST', `inbox/${id}/notes`, { text: 'Gate code is 7.' });
  await call('POST', `inbox/${id}/replies`, { subject: 'Guards', text: 'Tuesday suits us.' });
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?view=everything&request=${id}`);
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('Gate code is 7.')).toBeVisible();
  await expect(panel.getByText('Called and left a voicemail')).toBeHidden();
  await panel.locator('.timeline summary').filter({ hasText: '1 call' }).press('Enter');
  await expect(panel.getByText('Called and left a voicemail')).toBeVisible();
});

test('a note that is too long is refused with its limit, and stays in the form', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: 'Add a note' }).click();
  const text = 'x'.repeat(5000);
  await panel.getByLabel('Note').fill(text);
  await panel.getByRole('button', { name: 'Save note' }).click();
  await expect(panel.getByRole('alert').filter({ hasText: /\S/ })).toContainText(/4,?000/);
  await panel.getByRole('button', { name: 'Add a note' }).click();
  await panel.getByRole('button', { name: 'Add a note' }).click();
  await expect(panel.getByLabel('Note')).toHaveValue(text);
});

test('the open request prints as one clean sheet', async ({ page, request }) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  await expect(page.getByRole('complementary')).toContainText(place);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 1000 });
  await expect(page.locator('.reference').getByText(reference)).toBeVisible();
  for (const hidden of ['.desk-header', '.queue-main', '.row-actions', '.composer', '.panel-back'])
    await expect(page.locator(hidden).locator('visible=true')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1050);
});

test('on a phone, Reject does not lie beside Accept', async ({ page, request }) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  await page.setViewportSize({ width: 390, height: 844 });
  await openDesk(page, place);
  const between = async (scope: Locator) => {
    const boxOf = async (name: RegExp) => {
      const box = await scope.getByRole('button', { name }).boundingBox();
      if (!box) throw new Error(`${name} is not shown`);
      return box;
    };
    const [accept, reject] = [await boxOf(/^Accept/), await boxOf(/^Reject/)];
    return reject.x - (accept.x + accept.width);
  };
  expect(await between(rowOf(page, place))).toBeGreaterThan(88);
  await page.locator('.row-link').first().click();
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText(place);
  expect(await between(panel)).toBeGreaterThan(88);
});
