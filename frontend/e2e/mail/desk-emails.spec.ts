// Emails from the dashboard: replies with their undo and delivery, and held requests, whose emails
// wait.
import {
  createQuote,
  insertTemplate,
  openDeskWithQuote,
  rowOf,
  spam,
  startReply,
  uniqueLocation,
} from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('a reply is undone within ten seconds and nothing leaves; its text is kept', async ({
  page,
  request,
  server,
}) => {
  const place = await openDeskWithQuote(page, request);
  const panel = await startReply(page);
  await insertTemplate(page, 'We need a few details');
  await expect(panel.getByLabel('Text')).toHaveValue(/^Hello Marta,/);
  const subject = `Your request, ${place}`;
  await panel.getByLabel('Subject').fill(subject);
  await panel.getByRole('button', { name: 'Preview' }).click();
  await expect(panel.getByRole('region', { name: 'Preview' })).toContainText(subject);
  await panel.getByRole('button', { name: 'Send reply' }).click();
  const entry = panel.getByRole('listitem').filter({ hasText: `Replied: ${subject}` });
  await expect(entry).toContainText('Waiting to be sent');
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect(entry).toContainText('Undone, not sent');
  await expect(rowOf(page, place)).not.toContainText('Answered');
  await panel.getByRole('button', { name: 'Reply draft', exact: true }).click();
  await expect(panel.getByLabel('Subject')).toHaveValue(subject);
  await panel.getByLabel('Subject').fill(`${subject}, sent`);
  await panel.getByRole('button', { name: 'Send reply' }).click();
  await server.waitForEmail(`Subject: ${subject}, sent`);
  expect(server.emails().filter((mail) => mail.includes(`Subject: ${subject}`))).toHaveLength(1);
});

test('a reply’s delivery is shown in the open panel without a reload, and answers the request', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request, { emergency_contact: false });
  const panel = await startReply(page);
  await expect(panel.getByLabel('Subject')).toHaveValue(/^Your request GP-/);
  await panel.getByLabel('Subject').fill('');
  await panel.getByRole('button', { name: 'Send reply' }).click();
  await expect(panel.getByRole('alert').filter({ hasText: /\S/ })).toHaveText('Write a subject first.');
  await panel.getByLabel('Subject').fill('Your quote');
  await panel.getByRole('button', { name: 'Send reply' }).click();
  await expect(panel.getByRole('alert').filter({ hasText: /\S/ })).toHaveText('Write the reply first.');
  await panel.getByLabel('Text').fill('It is 900 a day.');
  await panel.getByRole('button', { name: 'Send reply' }).click();
  const entry = panel.getByRole('listitem').filter({ hasText: 'Replied: Your quote' });
  await expect(entry).toContainText('Waiting to be sent');
  await expect(panel.getByText('Answer due')).toBeVisible();
  // Ten seconds until it is sent; the panel is not polled while the stream is open.
  await expect(entry).toContainText('Delivered');
  await expect(panel.getByText('Answered', { exact: true })).toBeVisible();
  await expect(rowOf(page, place)).toContainText('Answered');
});

test('a held request shows its reasons; one key discards it, z takes that back, one key releases it', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  await createQuote(request, place, spam);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?q=${word}`);
  await expect(page.getByText('No quote requests found.')).toBeVisible();
  await page.goto(`/admin?view=held&q=${word}`);
  await page.getByLabel('Search requests').press('Tab');
  await expect(rowOf(page, place)).toHaveCount(1);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary');
  const reasons = panel.getByRole('region', { name: 'Held' });
  await expect(reasons).toContainText('Links to one.example, two.example (3 points)');
  await page.keyboard.press('Escape');
  await expect(rowOf(page, place).locator('.row-link')).toBeFocused();
  await page.keyboard.press('d');
  await expect(page.locator('.toast')).toContainText('Discarded');
  await expect(rowOf(page, place).locator('.badge')).toHaveText('cancelled');
  await page.keyboard.press('z');
  await expect(rowOf(page, place).locator('.badge')).toHaveText('pending');
  expect(server.emails().some((mail) => mail.includes(word))).toBe(false);
  await page.keyboard.press('y');
  await expect(page.locator('.toast').filter({ hasText: 'Released' })).toBeVisible();
  await server.waitForEmail(word);
  await page.goto(`/admin?q=${word}`);
  await expect(rowOf(page, place)).toHaveCount(1);
  await expect(rowOf(page, place)).toContainText(/2[34] h left/);
});
