// The details of a request are corrected at the desk: by keys and by pointer.
import { createMessage, kim, openDeskWithQuote, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';
import { checkLayout } from '../layout-checks';

test('a caller without an email address gets one, then a reply and an offer', async ({ page, request }) => {
  await openDeskWithQuote(page, request);
  await page.keyboard.press('p');
  const call = page.getByRole('form', { name: 'Request by phone' });
  const place = uniqueLocation();
  for (const [label, text] of [
    ['Phone number', '713 555 0171'],
    ['First name', 'Walter'],
    ['Last name', ''],
    ['Location', place],
  ] as const) {
    await call.getByLabel(label).fill(text);
  }
  await call.locator('[name="email"]').fill('');
  await call.getByLabel('Service type').selectOption('Fire Watch');
  await page.keyboard.press('Control+Enter');
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText('No email address was given.');
  await expect(panel.getByRole('button', { name: 'Reply' })).toHaveCount(0);

  // By pointer: the address that is missing has the focus.
  await panel.getByRole('button', { name: 'Add an email address' }).click();
  const form = panel.getByRole('form', { name: 'Edit details' });
  await expect(form.getByLabel('Email address')).toBeFocused();
  await expect(form.getByLabel('First name')).toHaveValue('Walter');
  await checkLayout(page, 'edit details');
  await page.keyboard.type('walter@hobbs');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Please enter a valid email address')).toBeVisible();
  await expect(form.getByLabel('Email address')).toBeFocused();
  await page.keyboard.type('.example');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('.toast')).toContainText('Saved');
  await expect(form).toHaveCount(0);
  await expect(panel.locator('.panel-mail')).toHaveText('walter@hobbs.example');
  await expect(panel.locator('.timeline')).toContainText('Changed the email address');

  await panel.getByRole('heading', { name: 'Walter' }).focus();
  await page.keyboard.press('e');
  await expect(panel.getByLabel('Text', { exact: true })).toBeFocused();
  await expect(panel.locator('.composer')).toContainText('walter@hobbs.example');
  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { name: /^Offer GP-/ })).toBeVisible();
  await expect(page.locator('body')).toContainText('walter@hobbs.example');
});

test('f edits by keyboard alone, z takes it back, and a colleague sees it at once', async ({
  page,
  request,
  server,
  browser,
}) => {
  const place = await openDeskWithQuote(page, request);
  const colleague = await browser.newPage({ baseURL: server.url });
  const { account } = await kim(server, request);
  await signIn(colleague, account);
  await expectDashboard(colleague);
  await colleague.goto(`/admin?q=${encodeURIComponent(place.split(',')[0] ?? '')}`);
  await rowOf(colleague, place).locator('.row-link').click();
  const theirs = colleague.getByRole('complementary');
  await expect(theirs.getByRole('heading', { name: 'Marta Núñez' })).toBeVisible();

  await rowOf(page, place).locator('.row-link').focus();
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary');
  const form = panel.getByRole('form', { name: 'Edit details' });
  await expect(form.getByLabel('First name')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Martina');
  await form.getByLabel('Service type').focus();
  await page.keyboard.type('Mobile');
  await page.keyboard.press('Control+Enter');
  await expect(panel.getByRole('heading', { name: 'Martina Núñez' })).toBeFocused();
  await expect(theirs.getByRole('heading', { name: 'Martina Núñez' })).toBeVisible();
  await expect(theirs).toContainText('First name: Marta → Martina');
  await expect(rowOf(colleague, place)).toContainText('Mobile Patrol');

  await page.keyboard.press('z');
  await expect(panel.getByRole('heading', { name: 'Marta Núñez' })).toBeVisible();
  await expect(theirs.getByRole('heading', { name: 'Marta Núñez' })).toBeVisible();

  // Esc lets the form go; nothing is changed.
  await page.keyboard.press('f');
  await page.keyboard.type('X');
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await expect(panel.getByRole('heading', { name: 'Marta Núñez' })).toBeFocused();
  await colleague.close();
});

test('the details of a contact message are edited by the rules of its form', async ({ page, request }) => {
  const details = `Two guards for ${uniqueLocation()}`;
  const id = await createMessage(request, details);
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?view=messages&request=${id}`);
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: 'Edit details' }).click();
  const form = panel.getByRole('form', { name: 'Edit details' });
  await expect(form.getByLabel('Location')).toHaveCount(0);
  await form.getByLabel('Phone number').fill('');
  await form.locator('[name="email"]').fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Keep a phone number or an email address.').first()).toBeVisible();
  await form.locator('[name="email"]').fill('devon@price.example');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(panel.locator('.panel-mail')).toHaveText('devon@price.example');
  await expect(panel).toContainText('No phone number was given.');
});
