// One list of undoable changes, newest first: the key undoes the last one.
import { createQuote, openDesk, openFiles, rowOf, spam, uniqueLocation, urgent } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('z after a reply takes back the reply and not the accept of another request', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  await createQuote(request, place, { last_name: 'First' });
  await createQuote(request, place, { last_name: 'Second', email: 'second@property.example' });
  await openDesk(page, place);
  const rows = rowOf(page, place);
  const [firstRow, secondRow] = [rows.filter({ hasText: 'First' }), rows.filter({ hasText: 'Second' })];
  await firstRow.getByRole('button', { name: 'Accept' }).click();
  await expect(firstRow).toContainText('in progress');
  await secondRow.locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: 'Reply', exact: true }).click();
  await panel.getByLabel('Subject').fill('Your request');
  await panel.getByLabel('Text').fill('This never leaves.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('It leaves in ten seconds.')).toBeVisible();
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('is not sent');
  await expect(panel.getByText('Undone, not sent'), 'it is no message').toBeHidden();
  await expect(panel.locator('.from-us')).toHaveCount(0);
  await expect(firstRow).toContainText('in progress');

  // The reply is kept, and the accept is next.
  await panel.getByRole('button', { name: 'Reply draft', exact: true }).click();
  await expect(panel.getByLabel('Text')).toHaveValue('This never leaves.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('is pending again');
  await expect(firstRow).toContainText('pending');
  await page.keyboard.press('z');
  await expect(firstRow).toContainText('pending');
  expect(server.emails().filter((mail) => mail.includes('This never leaves'))).toEqual([]);
});

test('z takes back a logged call, a deleted note and a removed file, and says which', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place, urgent);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  const panel = page.getByRole('complementary');
  const toast = page.locator('.toast');
  await panel.getByRole('button', { name: 'Add a note' }).click();
  await panel.getByLabel('Note').fill('Gate code is 7.');
  await panel.getByRole('button', { name: 'Save note' }).click();
  const note = panel.locator('.timeline li').filter({ hasText: 'Gate code is 7.' });
  await note.getByRole('button', { name: 'Delete this note' }).click();
  await expect(note).toHaveCount(0);
  await page.keyboard.press('z');
  await expect(toast).toContainText('The note is back.');
  await expect(note).toHaveCount(1);

  await panel.getByRole('button', { name: 'Log a call' }).click();
  await panel.getByLabel('Reached').check();
  await panel.getByRole('button', { name: 'Save call' }).click();
  await expect(panel.getByText('Call due')).toHaveCount(0);
  await page.keyboard.press('z');
  await expect(toast).toContainText('no longer in the history');
  await expect(panel.getByText('Call due')).toBeVisible();

  const files = await openFiles(page);
  await files
    .getByLabel('Add files')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The gate is north.') });
  const file = panel.locator('.request-files li').filter({ hasText: 'plan.txt' });
  await file.getByRole('button', { name: /^Remove/ }).click();
  await file.getByRole('button', { name: /^Really remove/ }).click();
  await expect(file).toHaveCount(0);
  await page.locator('h2#panel-title').click();
  await page.keyboard.press('z');
  await expect(toast).toContainText('plan.txt is back.');
  await expect(file).toHaveCount(1);
});

test('z takes back a release before its emails leave', async ({ page, request, server }) => {
  const place = uniqueLocation();
  const marker = `Shoes${process.pid}x${Date.now()}`;
  await createQuote(request, place, { ...spam, last_name: marker.replace(/[0-9]/g, 'q') });
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin?view=held');
  const row = rowOf(page, place);
  await row.getByRole('button', { name: 'Release' }).click();
  await expect(page.locator('.toast')).toContainText('Its emails leave in ten seconds.');
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('is held again');
  await page.goto('/admin?view=held');
  await expect(rowOf(page, place).getByRole('button', { name: 'Release' })).toBeVisible();
  expect(server.emails().filter((mail) => mail.includes(place))).toEqual([]);
});
