// Typed text survives a template, a reload, and a change of device.
import {
  createQuote,
  insertTemplate,
  openDeskWithQuote,
  rowOf,
  startReply,
  uniqueLocation,
} from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('a template is inserted into what was typed, and a reload and the phone have the draft', async ({
  page,
  request,
  browser,
  server,
  visitor,
}) => {
  const id = await createQuote(request, uniqueLocation());
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?request=${id}`);
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: /^Reply/ }).click();
  await panel.getByLabel('Text').pressSequentially('Dear Marta, the gate is open.');
  await insertTemplate(page, 'We need a few details');
  const text = panel.getByLabel('Text');
  await expect(text).toHaveValue(/^Dear Marta, the gate is open\.\n\nHello Marta,/);
  const stored = page.waitForResponse((answer) => answer.url().includes('/drafts/reply'));
  await panel.getByLabel('Subject').fill('About the gate');
  expect((await stored).status()).toBe(204);
  const typed = await text.inputValue();

  await page.reload();
  await panel.getByRole('button', { name: /^Reply/ }).click();
  await expect(panel.getByLabel('Subject')).toHaveValue('About the gate');
  await expect(text).toHaveValue(typed);

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    baseURL: server.url,
    extraHTTPHeaders: { 'X-Forwarded-For': visitor },
  });
  const other = await phone.newPage();
  await signIn(other);
  await expectDashboard(other);
  await other.goto(`/admin?request=${id}`);
  await other
    .getByRole('complementary')
    .getByRole('button', { name: /^Reply/ })
    .click();
  await expect(other.getByLabel('Text')).toHaveValue(typed);
  await phone.close();
});

test('/ in an empty line opens the templates, letters look for one, Enter inserts it, and Esc lets every menu go', async ({
  page,
  request,
}) => {
  await openDeskWithQuote(page, request);
  const panel = await startReply(page);
  const text = panel.getByLabel('Text', { exact: true });
  const menu = page.getByRole('dialog', { name: 'Insert a template' });
  // It opens once the templates are there.
  await expect(panel.getByRole('button', { name: 'Templates', exact: true })).toBeVisible();
  await page.keyboard.type('24/7\n/');
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(text).toBeFocused();
  await page.keyboard.type('/we need');
  await expect(menu.getByRole('option')).toHaveCount(1);
  await expect(text).toHaveValue('24/7\n');
  await page.keyboard.press('Enter');
  await expect(text).toBeFocused();
  await expect(text).toHaveValue(/^24\/7\n\nHello Marta,/);
  await page.keyboard.press('Escape');
  const assign = panel.getByLabel('Hand over');
  await assign.focus();
  await page.keyboard.type('n');
  await expect(panel.getByText('Assigned to nobody')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('#panel-title')).toBeFocused();
  await expect(assign).toHaveValue('');
});

test('a draft is marked in the list, also after a reload, until it is sent or emptied', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request);
  const panel = await startReply(page);
  const row = rowOf(page, place);
  const kept = () => page.waitForResponse((answer) => answer.url().includes('/drafts/reply'));
  const stored = kept();
  await panel.getByLabel('Text').fill('Dear Marta');
  await stored;
  await page.keyboard.press('Escape');
  await expect(row).toContainText('Draft');
  await expect(panel.getByRole('button', { name: 'Reply draft' })).toBeVisible();
  await page.reload();
  await expect(row).toContainText('Draft');
  await panel.getByRole('button', { name: 'Reply draft' }).click();
  const emptied = kept();
  await panel.getByLabel('Text').fill('');
  await emptied;
  await page.keyboard.press('Escape');
  await expect(row).toBeVisible();
  await expect(row).not.toContainText('Draft');
});

test('two tabs of one person on one reply say so, and keep what is typed last', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request);
  const panel = await startReply(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await rowOf(other, place).locator('.row-link').click();
  await other
    .getByRole('complementary')
    .getByRole('button', { name: /^Reply/ })
    .click();
  const warning = 'You are writing this in another tab too. What is typed last is kept.';
  await expect(panel.getByText(warning)).toHaveCount(0);
  const stored = other.waitForResponse((answer) => answer.url().includes('/drafts/reply'));
  await other.getByLabel('Text', { exact: true }).pressSequentially('From the other tab');
  await expect(panel.getByText(warning)).toBeVisible();
  await stored;
  await page.reload();
  await panel.getByRole('button', { name: /^Reply/ }).click();
  await expect(panel.getByLabel('Text', { exact: true })).toHaveValue('From the other tab');
});
