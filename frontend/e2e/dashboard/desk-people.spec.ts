// Several people at one desk: names and signatures, assignments, replies at the same time, and own
// templates.
import {
  createQuote,
  insertTemplate,
  kim,
  openDesk,
  openDeskWithQuote,
  rowOf,
  startReply,
  uniqueLocation,
} from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('a name and a signature are entered once and are in the history and in the email', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  await createQuote(request, place, { emergency_contact: false });
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/account');
  await page.getByLabel('Your name').fill('boss@bank.example');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(page.getByText('Write a name here, not an address.')).toBeVisible();
  await page.getByLabel('Your name').fill('Ann Lee');
  await page.getByLabel('Signature', { exact: true }).fill('Ann Lee\nDispatcher, day shift');
  await save.click();
  await expect(page.locator('.toast')).toContainText('Saved');
  await page.reload();
  await expect(page.getByLabel('Your name')).toHaveValue('Ann Lee');
  await page.goto(`/admin?q=${place.split(',')[0]}`);
  await expect(rowOf(page, place)).toBeVisible();
  const panel = await startReply(page);
  await expect(panel.getByText('Your signature follows:')).toBeVisible();
  await panel.getByLabel('Subject').fill(`Offer ${place}`);
  await panel.getByLabel('Text').fill('See https://guard.example/offer.');
  await page.keyboard.press('Control+Enter');
  const entry = panel.getByRole('listitem').filter({ hasText: `Replied: Offer ${place}` });
  await expect(entry).toContainText('Ann Lee');
  await expect(entry).toContainText('Dispatcher, day shift');
  const mail = await server.waitForEmail(`Subject: Offer ${place}`);
  const sender = /From: =\?utf-8\?b\?([^?]+)/.exec(mail)?.[1] ?? '';
  expect(Buffer.from(sender, 'base64').toString()).toBe('Ann Lee, Guardpost Security');
  expect(mail).toContain('Dispatcher, day shift');
  // Other tests of this server have no name.
  await page.goto('/admin/account');
  await page.getByLabel('Your name').fill('');
  await page.getByLabel('Signature', { exact: true }).fill('');
  await save.click();
  await expect(page.locator('.toast')).toContainText('Saved');
});

test('what a colleague assigns to me is told at once and counted in Mine, what I take is not', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place, { emergency_contact: false });
  const { call } = await kim(server, request);
  await openDesk(page, place);
  const me = await page.evaluate(async () => {
    const key = Object.keys(localStorage).find((name) => localStorage[name].includes('access_token'));
    return JSON.parse(localStorage[key ?? '']).user.id as string;
  });
  const mine = page.getByRole('link', { name: /^Mine/ });
  const count = async () => Number((await mine.innerText()).replace(/\D/g, ''));
  const before = await count();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Take it', exact: true }).click();
  await expect.poll(count).toBe(before + 1);
  await expect(page.getByText('has assigned to you')).toHaveCount(0);
  await call('PATCH', `inbox/${id}`, { assignee: null });
  await expect.poll(count).toBe(before);
  await call('PATCH', `inbox/${id}`, { assignee: me });
  await expect(page.locator('.toast')).toContainText('kim has assigned to you');
  await expect.poll(count).toBe(before + 1);
  await page.locator('.toast').getByRole('link', { name: 'Open it' }).click();
  await expect(page.getByText('Assigned to you', { exact: true })).toBeVisible();
});

test('a reply is held back if a colleague has answered since, until it is sent anyway', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place, { emergency_contact: false });
  const { call } = await kim(server, request);
  await openDesk(page, place);
  const panel = await startReply(page);
  await panel.getByLabel('Subject').fill(`Mine ${place}`);
  await panel.getByLabel('Text').fill('It is 900 a day.');
  await call('POST', `inbox/${id}/replies`, { subject: `Kim's ${place}`, text: 'It is 800 a day.' });
  const warning = panel.locator('.answered-since');
  await expect(warning).toContainText('kim replied on');
  await page.keyboard.press('Control+Enter');
  await expect(panel.getByText('Not sent yet: a colleague was faster.')).toBeInViewport();
  await expect(warning).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.toast')).toContainText('Not sent');
  await expect(panel.getByLabel('Text')).toBeFocused();
  await expect(panel.getByLabel('Text')).toHaveValue('It is 900 a day.');
  await warning.getByRole('button', { name: 'Send anyway' }).click();
  await expect(panel.getByRole('listitem').filter({ hasText: `Replied: Mine ${place}` })).toBeVisible();
});

test('who is writing a reply is shown to the others', async ({ page, request, server, browser }) => {
  const place = uniqueLocation();
  await createQuote(request, place);
  const { account } = await kim(server, request);
  await openDesk(page, place);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeVisible();
  const context = await browser.newContext({ baseURL: server.url });
  const other = await context.newPage();
  await signIn(other, account);
  await expectDashboard(other);
  await other.goto(page.url());
  await expect(page.locator('.presence')).toHaveText('kim has this open');
  await other.getByRole('button', { name: 'Reply', exact: true }).click();
  await expect(page.locator('.presence')).toHaveText('kim is replying');
  await other.keyboard.press('Escape');
  await expect(page.locator('.presence')).toHaveText('kim has this open');
  await context.close();
});

test('what a desk shows to the others is reported in turn, the newest last', async ({ page, request }) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  await openDesk(page, place);
  const reports: unknown[] = [];
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/api/admin/live/presence', async (route) => {
    const { request: open, replying } = route.request().postDataJSON();
    reports.push([open, replying]);
    await held;
    await route.continue();
  });
  const panel = await startReply(page);
  await expect.poll(() => reports.length).toBe(1);
  await page.keyboard.press('Escape');
  await expect(panel.getByLabel('Text')).toHaveCount(0);
  expect(reports).toHaveLength(1);
  release();
  await expect.poll(() => reports.at(-1)).toEqual([id, false]);
});

test('what is typed becomes a template of one’s own, which is edited, inserted and deleted', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request);
  const panel = await startReply(page);
  await panel.getByLabel('Text', { exact: true }).fill('Hello Marta, when may we visit the site?');
  await panel.getByText('My templates').click();
  await panel.getByRole('button', { name: 'Save what is typed as a template' }).click();
  await page.keyboard.type(`Visit ${place}`);
  await page.keyboard.press('Enter');
  await expect(page.locator('.toast')).toContainText('Template saved');
  await panel.getByRole('button', { name: `Edit the template Visit ${place}` }).click();
  const text = panel.getByLabel('Text of the template');
  await expect(text).toHaveValue('Hello {{first_name}}, when may we visit the site?');
  await text.fill('Hello {{nick}}');
  await panel.getByRole('button', { name: 'Save template' }).click();
  await expect(panel.getByText('{{nick}} is not known. A template can have {{first_name}}')).toBeVisible();
  await text.fill('Dear {{first_name}}, may we come?');
  await panel.getByRole('button', { name: 'Save template' }).click();
  await expect(page.locator('.toast')).toContainText('Template changed');
  await panel.getByLabel('Text', { exact: true }).fill('');
  await insertTemplate(page, `Visit ${place} (mine)`);
  await expect(panel.getByLabel('Text', { exact: true })).toHaveValue('Dear Marta, may we come?');
  const remove = panel.getByRole('button', { name: new RegExp(`the template Visit ${place}`) });
  await remove.last().click();
  await remove.last().click();
  await expect(page.locator('.toast')).toContainText('Template deleted');
  await expect(panel.getByText('You have no template of your own yet.')).toBeVisible();
});
