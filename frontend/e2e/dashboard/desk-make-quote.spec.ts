// A contact message becomes a quote request, and keys that can do nothing say why.
import { createMessage, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';
import { checkLayout } from '../layout-checks';

test('q makes a quote request of a message, z takes it back, and it can have an offer', async ({
  page,
  request,
}) => {
  const details = `Two guards for ${uniqueLocation()}`;
  const id = await createMessage(request, details);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?view=messages&request=${id}`);
  const panel = page.getByRole('complementary');
  const toast = page.locator('.toast');
  await expect(panel.locator('.panel-kind')).toContainText('Contact message');
  await checkLayout(page, 'a contact message');
  await panel.getByRole('heading', { name: 'Devon Price' }).focus();
  await page.keyboard.press('o');
  await expect(toast).toContainText('Press q to make it a quote request');
  await expect(toast).toHaveClass(/toast-neutral/);
  await page.keyboard.press('q');
  await expect(toast).toContainText('can have files and offers now');
  await expect(panel.locator('.panel-kind')).toContainText('Quote request');
  await expect(panel).toContainText('Event Security');
  await page.keyboard.press('z');
  await expect(toast).toContainText('is a contact message again');
  await expect(panel.locator('.panel-kind')).toContainText('Contact message');

  // By pointer.
  await panel.getByRole('button', { name: 'Make it a quote request' }).click();
  await expect(panel).toContainText('Made a quote request of this contact message');
  await expect(panel.getByText('Two guards for')).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'Files (0)' })).toBeVisible();
  await panel.getByRole('heading', { name: 'Devon Price' }).focus();
  // A key is dropped while the answer to the press before it is still awaited.
  await expect(async () => {
    await page.keyboard.press('q');
    await expect(toast).toContainText('is a quote request already', { timeout: 500 });
  }).toPass();
  await expect(panel.getByRole('button', { name: 'Make an offer' })).toBeVisible();
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { name: /^Offer GP-/ })).toBeVisible();
});

test('a key that can do nothing says why', async ({ page, request }) => {
  const details = `Two guards for ${uniqueLocation()}`;
  const id = await createMessage(request, details);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?view=messages&request=${id}`);
  const toast = page.locator('.toast');
  await page.getByRole('complementary').getByRole('heading', { name: 'Devon Price' }).focus();
  for (const [key, says] of [
    ['c', 'is pending: it cannot be completed.'],
    ['y', 'is not held.'],
    ['z', 'Nothing to undo'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(toast).toContainText(says);
  }
});
