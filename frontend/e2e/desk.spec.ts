// The desk as dispatchers use it for a whole shift: views, assignment, history, undo, many at once,
// filters, replies.
import { createMessage, createQuote, kim, openDesk, rowOf, uniqueLocation } from './desk-helpers';
import { expect, expectDashboard, signIn, test } from './fixtures';

const reference = /GP-[2-9B-DF-HJ-NP-TV-XZ]{4,}/;

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
  const place = uniqueLocation();
  await createQuote(request, place);
  await openDesk(page, place);
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
  await expect(panel.getByText('Assigned to you')).toBeVisible();
  await panel.getByLabel('Hand over').selectOption({ label: account.email });
  await expect(panel.getByText('Assigned to kim').first()).toBeVisible();
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
  await expect(panel.getByRole('alert')).toContainText(/4,?000/);
  await panel.getByRole('button', { name: 'Add a note' }).click();
  await panel.getByRole('button', { name: 'Add a note' }).click();
  await expect(panel.getByLabel('Note')).toHaveValue(text);
});

test('several requests are moved at once: refusals are named, and one undo takes all back', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  const ids: string[] = [];
  for (let at = 0; at < 4; at += 1) ids.push(await createQuote(request, `${word}, TX`));
  const { call } = await kim(server, request);
  await openDesk(page, place);
  const rows = page.locator('.row');
  await rows.nth(0).locator('.row-select').click();
  await rows
    .nth(3)
    .locator('.row-select')
    .click({ modifiers: ['Shift'] });
  await expect(page.getByText('4 selected')).toBeVisible();
  await rows.nth(1).locator('.row-link').focus();
  await page.keyboard.press('x');
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('x');
  // Somebody else completes one of them meanwhile.
  await call('PATCH', `inbox/${ids[0]}`, { status: 'cancelled' });
  await page.getByRole('button', { name: 'Accept all' }).click();
  const refusals = page.getByRole('alert', { name: 'Not changed' });
  await expect(refusals).toContainText('1 request was not changed');
  await expect(refusals.getByText(reference)).toHaveCount(1);
  await expect(page.locator('.row .badge').filter({ hasText: 'in progress' })).toHaveCount(3);
  await page.locator('.toast').getByRole('button', { name: 'Undo all 3' }).click();
  await expect(page.locator('.row .badge').filter({ hasText: 'pending' })).toHaveCount(3);
});

test('a filter is an address that can be saved under a name and shared', async ({ page, request }) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  await openDesk(page, place);
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Service', { exact: true }).selectOption({ label: 'Fire Watch' });
  await expect(page).toHaveURL(/service=fire-watch/);
  await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Nobody' });
  await page.getByLabel('Asked for a call right away').check();
  await expect(page).toHaveURL(/q=Post.*service=fire-watch&assignee=nobody&emergency=true/);
  await expect(rowOf(page, place)).toBeVisible();
  await page.getByLabel('State', { exact: true }).selectOption({ label: 'Alaska' });
  await expect(page.getByText('No quote requests found.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Alaska (remove)' }).click();
  await expect(rowOf(page, place)).toBeVisible();
  const address = page.url();
  await page.getByText('Saved filters').click();
  await page.getByLabel('Save this view as').fill(`Mine ${place}`);
  await page.getByLabel('For everybody').check();
  await page.getByRole('button', { name: 'Save filter' }).click();
  await expect(page.getByRole('link', { name: `Mine ${place} (shared)` })).toBeVisible();
  await page.goto('/admin');
  await page.getByText('Saved filters').click();
  await page.getByRole('link', { name: `Mine ${place} (shared)` }).click();
  await expect(page).toHaveURL(address);
  await expect(rowOf(page, place)).toBeVisible();
  await page.getByText('Saved filters').click();
  await page.getByRole('button', { name: `Delete the filter Mine ${place}` }).click();
  await expect(page.getByRole('link', { name: `Mine ${place} (shared)` })).toHaveCount(0);
});

test('what the list shows is exported, and nothing else', async ({ page, request }) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  await createQuote(request, uniqueLocation());
  await openDesk(page, place);
  await page.getByText('Export', { exact: true }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV for spreadsheets' }).click();
  const stream = await (await downloading).createReadStream();
  let text = '';
  for await (const piece of stream) text += piece;
  expect(text.trim().split(/\r?\n/)).toHaveLength(2);
  expect(text).toContain(place);
});

test('previous and next walk the filter, and related requests are linked', async ({ page, request }) => {
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  for (const state of ['TX', 'LA', 'OK'])
    await createQuote(request, `${word}, ${state}`, {
      email: `${word}@person.example`,
      phone: '(713) 555-0177',
    });
  await openDesk(page, place);
  await page.locator('.row-link').first().click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByText(`${word}, OK`)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await panel.getByRole('button', { name: 'Next' }).click();
  await expect(panel.getByText(`${word}, LA`)).toBeVisible();
  await panel.getByRole('button', { name: 'Next' }).click();
  await expect(panel.getByText(`${word}, TX`)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Next' })).toBeDisabled();
  await expect(panel.getByText(/other requests of this person/)).toBeVisible();
  await panel.getByRole('link', { name: reference }).first().click();
  await expect(panel.getByText(`${word}, TX`)).toHaveCount(0);
});

test('a reference that somebody says on the phone opens the request', async ({ page, request }) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  await openDesk(page, place);
  await page.locator('.row-link').first().click();
  const panel = page.getByRole('complementary');
  const said = (await panel.locator('.reference').textContent())?.match(reference)?.[0] ?? '';
  await page.goto('/admin?view=attention');
  await page.getByLabel('Search requests').fill(said.toLowerCase());
  await page.keyboard.press('Enter');
  await expect(panel.getByText(place)).toBeVisible();
  await page.goto('/admin?request=GP-ZZZZZZZ');
  await expect(page.getByText('There is no such request.')).toBeVisible();
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
  const boxOf = async (name: string) => {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    if (!box) throw new Error(`${name} is not shown`);
    return box;
  };
  const [accept, reject] = [await boxOf('Accept'), await boxOf('Reject')];
  expect(reject.x - (accept.x + accept.width)).toBeGreaterThan(88);
  await page.locator('.row-link').first().click();
  await expect(page.getByRole('complementary')).toContainText(place);
  const [below, above] = [await boxOf('Reject'), await boxOf('Accept')];
  expect(below.y).toBeGreaterThan(above.y + above.height + 12);
});

test('a triage of twenty requests needs the keyboard alone', async ({ page, request }) => {
  test.setTimeout(90_000);
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  for (let at = 0; at < 20; at += 1) await createQuote(request, `${word}, TX`);
  await openDesk(page, place);
  for (let at = 0; at < 20; at += 1) {
    await page.keyboard.press('j');
    const badge = page.locator('.row').nth(at).locator('.badge');
    await expect(page.locator('.row-link').nth(at)).toBeFocused();
    if (at % 4 === 3) {
      await page.keyboard.press('r');
      await page.keyboard.press('r');
      await expect(badge).toHaveText('cancelled');
    } else {
      await page.keyboard.press('m');
      await expect(page.locator('.row').nth(at).locator('.row-assignee')).toContainText('dispatch');
      await page.keyboard.press('a');
      await expect(badge).toHaveText('in progress');
    }
  }
  await page.keyboard.press('l');
  const panel = page.getByRole('complementary');
  await expect(panel.getByLabel('Reached')).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('Called and reached the customer')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.row-link').nth(19)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('c');
  await expect(page.locator('.row').nth(18).locator('.badge')).toHaveText('completed');
  await page.keyboard.press('z');
  await expect(page.locator('.row').nth(18).locator('.badge')).toHaveText('in progress');
});
