// Corrections: reopening and withdrawing with a reason; search results in other views.
import { createMessage, createQuote, openDesk, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('a closed request is reopened, and one in progress withdrawn, by a menu and with a reason', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  await openDesk(page, place);
  const row = rowOf(page, place);
  await row.getByRole('button', { name: 'Reject' }).click();
  await expect(row).toContainText('cancelled');
  await expect(row.getByRole('button', { name: /Reopen/ })).toHaveCount(0);
  await row.locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await panel.getByText('Reopen', { exact: true }).click();
  await panel.getByRole('button', { name: 'Reopen request' }).click();
  await expect(panel.getByText('Give a reason for the history.')).toBeVisible();
  await panel.getByLabel('Reason').fill('Rejected by mistake');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('pending');
  await expect(panel.locator('.timeline')).toContainText('Rejected by mistake');

  await row.getByRole('button', { name: 'Accept' }).click();
  await panel.getByText('Withdraw', { exact: true }).click();
  await panel.getByLabel('Reason').fill('The customer called it off');
  await panel.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(row).toContainText('cancelled');
  await page.locator('h2#panel-title').click();
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('is in progress again');
  await expect(row).toContainText('in progress');
});

test('a search without a result says where there is one, and finds a number however it is typed', async ({
  page,
  request,
}) => {
  const word = `Quay${process.pid}${Date.now()}`;
  await createMessage(request, `We need a guard at ${word}.`);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?q=${word}`);
  await expect(page.getByText('No quote requests found.')).toBeVisible();
  await page.getByRole('link', { name: '1 in Messages' }).click();
  await expect(page.locator('.row')).toHaveCount(1);

  const place = uniqueLocation();
  await createQuote(request, place, { phone: '(281) 555-0197' });
  for (const typed of ['+12815550197', '1 281 555 0197', '555 0197']) {
    await page.goto('/admin');
    await page.getByLabel('Search requests').pressSequentially(typed);
    await expect(rowOf(page, place)).toBeVisible();
  }
});
