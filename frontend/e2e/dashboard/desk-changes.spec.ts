// Changes in the inbox: statuses, assignment, undo, many at once, a whole triage by the keyboard.
import {
  createMessage,
  createQuote,
  kim,
  openDesk,
  openDeskWithQuote,
  reference,
  rowOf,
  uniqueLocation,
} from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('a contact message is a request: in its view, with a reference, moved like a quote', async ({
  page,
  request,
}) => {
  const word = `Gate${Date.now()}`;
  await createMessage(request, `${word} is stuck open`);
  await signIn(page);
  await expectDashboard(page);
  await page.getByRole('link', { name: /^Messages/ }).click();
  await page.getByLabel('Search requests').fill(word);
  const row = page.locator('.row');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Contact message');
  await row.locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText(`${word} is stuck open`);
  await expect(panel.getByRole('button', { name: 'Copy the reference' })).toHaveText(reference);
  await expect(panel).toContainText(/[0-9]+ h left/);
  await panel.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('Message status changed to in_progress.')).toBeVisible();
  await expect(panel.getByText('Moved from pending to in progress')).toBeVisible();
  await page.getByRole('link', { name: /^All quotes/ }).click();
  await page.getByLabel('Search requests').fill(word);
  await expect(page.getByText('No quote requests found.')).toBeVisible();
});

test('a reject is undone from the toast, and an accept from the row', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request);
  const row = rowOf(page, place);
  await row.getByRole('button', { name: 'Reject' }).click();
  await expect(row.locator('.badge')).toHaveText('cancelled');
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect(row.locator('.badge')).toHaveText('pending');
  await row.getByRole('button', { name: 'Accept' }).click();
  await expect(row.locator('.badge')).toHaveText('in progress');
  await row.getByRole('button', { name: 'Undo' }).click();
  await expect(row.locator('.badge')).toHaveText('pending');
  await expect(row.getByRole('button', { name: 'Undo' })).toHaveCount(0);
});

test('an undo after somebody else moved it changes nothing and says why', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  const { call } = await kim(server, request);
  await openDesk(page, place);
  const row = rowOf(page, place);
  await row.getByRole('button', { name: 'Accept' }).click();
  await expect(row.locator('.badge')).toHaveText('in progress');
  await call('PATCH', `inbox/${id}`, { status: 'completed' });
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Not undone')).toBeVisible();
  await expect(row.locator('.badge')).toHaveText('completed');
});

test('a request is taken, handed over and given back, and who came second is told', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  const { call, account } = await kim(server, request);
  await openDesk(page, place);
  await page.keyboard.press('j');
  await page.keyboard.press('m');
  await expect(rowOf(page, place).locator('.row-assignee')).toContainText('dispatch');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('Assigned to you')).toBeVisible();
  await panel.getByRole('button', { name: 'Give it back' }).click();
  await expect(panel.getByText('Assigned to nobody').first()).toBeVisible();
  await call('PATCH', `inbox/${id}`, { assignee: 'me' });
  await expect(panel.getByText('Assigned to kim').first()).toBeVisible({ timeout: 25_000 });
  await page.getByRole('heading', { level: 2 }).focus();
  await page.keyboard.press('m');
  await expect(panel.getByText('kim already has this request.')).toBeVisible();
  await panel.getByLabel('Hand over').selectOption({ label: 'dispatch@guardpost.example' });
  await panel.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(panel.getByText('Assigned to you')).toBeVisible();
  await panel.getByLabel('Hand over').selectOption({ label: account.email });
  await panel.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(panel.getByText('Assigned to kim').first()).toBeVisible();
});

test('several requests are moved at once: refusals are named, and one undo takes all back', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push(await createQuote(request, `${word}, TX`));
  const { call } = await kim(server, request);
  await openDesk(page, place);
  const rows = page.locator('.row');
  await rows.nth(0).locator('.row-select').click();
  await rows
    .nth(4)
    .locator('.row-select')
    .click({ modifiers: ['Shift'] });
  await expect(page.getByText('5 selected')).toBeVisible();
  await rows.nth(1).locator('.row-link').focus();
  await page.keyboard.press('x');
  await expect(page.getByText('4 selected')).toBeVisible();
  await page.keyboard.press('x');
  // Another admin rejects two of them at the same time; this page does not hear of it.
  await page.route('**/api/admin/inbox?**', (route) => route.abort());
  for (const id of ids.slice(0, 2)) await call('PATCH', `inbox/${id}`, { status: 'cancelled' });
  const bar = page.getByRole('region', { name: 'Selected requests' });
  await expect(bar.getByRole('button', { name: /^Complete/ })).toHaveCount(0);
  await bar.getByRole('button', { name: 'Accept 5' }).click();
  const refusals = page.getByRole('alert', { name: 'Not changed' });
  await expect(refusals).toContainText('2 requests were not changed');
  const reason = refusals.getByRole('listitem');
  await expect(page.locator('.toast')).toContainText('3 of 5 requests changed');
  await expect(page.getByText('5 selected'), 'what was refused stays selected').toBeVisible();
  await page.unroute('**/api/admin/inbox?**');
  await expect(reason, 'one sentence names both').toHaveCount(1);
  expect((await reason.innerText()).match(new RegExp(reference, 'g'))).toHaveLength(2);
  await expect(page.locator('.row .badge').filter({ hasText: 'in progress' })).toHaveCount(3);
  await expect(bar.getByRole('button', { name: 'Complete 3' })).toBeVisible();
  await expect(bar.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
  await page.locator('.toast').getByRole('button', { name: 'Undo all 3' }).click();
  await expect(page.locator('.row .badge').filter({ hasText: 'pending' })).toHaveCount(3);
});

test('a triage of eight requests needs the keyboard alone', async ({ page, request }) => {
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  for (let at = 0; at < 8; at += 1) await createQuote(request, `${word}, TX`);
  await openDesk(page, place);
  for (let at = 0; at < 8; at += 1) {
    await page.keyboard.press('j');
    const badge = page.locator('.row').nth(at).locator('.badge');
    await expect(page.locator('.row-link').nth(at)).toBeFocused();
    if (at % 4 === 3) {
      await page.keyboard.press('r');
      await page.keyboard.press('r');
      await expect(badge).toHaveText('cancelled');
    } else {
      await page.keyboard.press('a');
      await expect(badge).toHaveText('in progress');
      await expect(page.locator('.row').nth(at).locator('.row-assignee')).toContainText('dispatch');
    }
  }
  await page.keyboard.press('l');
  const panel = page.getByRole('complementary');
  await expect(panel.getByLabel('Reached')).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('Called and reached the customer')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.row-link').nth(7)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('c');
  await expect(page.locator('.row').nth(6).locator('.badge')).toHaveText('completed');
  await page.keyboard.press('z');
  await expect(page.locator('.row').nth(6).locator('.badge')).toHaveText('in progress');
});
