// Corrections: reopening and withdrawing with a reason. What a search finds, and where.
import { createMessage, createQuote, openDeskWithQuote, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('a closed request is reopened, and one in progress withdrawn, by a menu and with a reason', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request);
  const row = rowOf(page, place);
  await row.getByRole('button', { name: 'Reject' }).click();
  await expect(row).toContainText('cancelled');
  await expect(row.getByRole('button', { name: /Reopen/ })).toHaveCount(0);
  await row.locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await panel.getByText('More', { exact: true }).click();
  await panel.getByRole('button', { name: 'Reopen request' }).click();
  await expect(panel.getByText('Give a reason for the history.')).toBeVisible();
  await panel.getByLabel('Reason').fill('Rejected by mistake');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('pending');
  await expect(panel.locator('.timeline')).toContainText('Rejected by mistake');

  await panel.getByRole('button', { name: 'Accept GP-' }).click();
  await panel.getByText('More', { exact: true }).click();
  await panel.getByLabel('Reason').fill('The customer called it off');
  await panel.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(row).toContainText('cancelled');
  await page.locator('h2#panel-title').click();
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('is in progress again');
  await expect(row).toContainText('in progress');

  // On a phone the menu is a sheet at the foot of the window.
  await page.setViewportSize({ width: 390, height: 844 });
  await panel.getByText('More', { exact: true }).click();
  await expect(panel.getByRole('button', { name: 'Mark as spam' })).toBeInViewport({ ratio: 1 });
  await panel.getByLabel('Reason').fill('Called off after all');
  await panel.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(panel.locator('.badge').first()).toHaveText('cancelled');
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

test('a search finds the company, a note, a call, a reply and the name of a file', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place, { company: `Wharf${process.pid} Lofts` });
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: 'Add a note' }).click();
  await panel.getByLabel('Note').fill(`Behind the zeppelin${process.pid}`);
  await panel.getByRole('button', { name: 'Save note' }).click();
  await expect(panel.locator('.timeline')).toContainText('Behind the zeppelin');
  await panel.getByRole('button', { name: 'Log a call' }).click();
  await panel.getByLabel('No answer').check();
  await panel.getByLabel('Note (optional)').fill(`Ask for marigold${process.pid}`);
  await panel.getByRole('button', { name: 'Save call' }).click();
  await expect(panel.locator('.timeline')).toContainText('Ask for marigold');
  await panel.getByRole('button', { name: 'Reply', exact: true }).click();
  await panel.getByLabel('Subject').fill(`About kestrel${process.pid}`);
  await panel.getByLabel('Text', { exact: true }).fill('We call you again.');
  await panel.getByRole('button', { name: 'Send reply' }).click();
  await expect(panel.locator('.timeline')).toContainText('About kestrel');
  await panel.getByLabel('Add files').setInputFiles({
    name: `quayplan${process.pid}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('The gate is north.'),
  });
  await expect(panel.locator('.request-files')).toContainText('quayplan');
  await panel.getByRole('button', { name: 'Close' }).click();
  const search = page.getByLabel('Search requests');
  for (const word of ['wharf', 'zeppelin', 'marigold', 'kestrel', 'quayplan']) {
    await search.fill('');
    await search.pressSequentially(`${word}${process.pid}`);
    await expect(page.locator('.row'), word).toHaveCount(1);
    await expect(rowOf(page, place), word).toBeVisible();
  }
});
