// The page of who is on call: the shifts, a swap, numbers, alarms and webhooks, worked by keyboard.
import { kim } from '../desk-helpers';
import { admin, expect, expectDashboard, signIn, test } from '../fixtures';

test.describe.configure({ mode: 'serial' });

test('shifts are written by keyboard, saved, and say who is on call', async ({ page, server, request }) => {
  const { account } = await kim(server, request);
  await signIn(page);
  await expectDashboard(page);
  await page.getByRole('link', { name: 'On call', exact: true }).click();
  await expect(page.getByText('There is no on-call schedule yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a whole week' }).focus();
  await page.keyboard.press('Enter');
  const shifts = page.getByRole('group', { name: /^Shift / });
  await expect(shifts).toHaveCount(7);
  await expect(shifts.first().getByLabel('Person')).toBeFocused();
  for (const shift of await shifts.all()) await shift.getByLabel('Person').selectOption(admin.email);
  await page.getByRole('button', { name: 'Add a shift' }).click();
  await expect(shifts.nth(7).getByLabel('Person')).toBeFocused();
  await shifts.nth(7).getByRole('button', { name: 'Remove shift 8' }).press('Enter');
  await expect(shifts).toHaveCount(7);
  await expect(page.getByRole('button', { name: 'Remove shift 7' })).toBeFocused();
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.locator('.toast')).toContainText('Schedule saved');
  await expect(page.locator('.on-call-now')).toHaveText(`${admin.email} is on call`);
  await page.reload();
  await expect(shifts).toHaveCount(7);

  await shifts.first().getByLabel('From').fill('25:00');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.locator('.form-alert')).toBeVisible();
  await shifts.first().getByLabel('From').fill('00:00');
  await shifts.first().getByLabel('Person').selectOption(account.email);
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await page.getByText('The next four weeks').click();
  await expect(page.locator('#schedule-title ~ details')).toContainText(account.email);
});

test('somebody else takes a time, which is taken back after a second press', async ({ page }) => {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/on-call');
  const section = page.getByRole('region', { name: 'Overrides and swaps' });
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(section.getByText('Choose both times.')).toBeVisible();
  await section.getByLabel('Instead').selectOption('kim@guardpost.example');
  await section.getByLabel('From (your clock)').fill('2099-12-01T08:00');
  await section.getByLabel('Until').fill('2099-12-01T20:00');
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  const entry = section.getByRole('listitem').filter({ hasText: 'kim@guardpost.example' });
  await expect(entry).toBeVisible();
  await entry.getByRole('button', { name: 'Remove' }).click();
  await entry.getByRole('button', { name: 'Really remove' }).click();
  await expect(entry).toHaveCount(0);
});

test('a number is checked and kept, and a test alarm is acknowledged', async ({ page }) => {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/on-call');
  const number = page.getByLabel(`Number of ${admin.email}`);
  const row = page.getByRole('listitem').filter({ has: number });
  await number.fill('call me');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.form-alert')).toBeVisible();
  await number.fill('(713) 555-0188');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast')).toContainText('Saved');
  await page.reload();
  await expect(number).not.toHaveValue('');

  const alarms = page.getByRole('region', { name: 'Alarms' });
  await alarms.getByRole('button', { name: 'Raise a test alarm now' }).click();
  const alarm = alarms.getByRole('listitem').filter({ hasText: 'Test alarm' }).first();
  await alarm.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(alarm).toContainText(`acknowledged by ${admin.email}`);
});

test('a webhook shows its secret once, is turned off, and is removed after a second press', async ({
  page,
}) => {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/on-call');
  const section = page.getByRole('region', { name: 'Other systems' });
  await section.getByText('Add a webhook or a chat room').click();
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(section.getByText('This field is required').first()).toBeVisible();
  await section.getByLabel('Name').fill('CRM');
  await section.getByLabel('Address').fill('http://127.0.0.1/hook');
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(section.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible();
  await section.getByLabel('Address').fill('https://crm.example/hook');
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(section.getByText(/^whsec_/)).toBeVisible();
  const entry = section.getByRole('listitem').filter({ hasText: 'https://crm.example/hook' });
  await entry.getByRole('button', { name: 'Turn off CRM' }).click();
  await expect(entry).toContainText('Turned off');
  await page.reload();
  await expect(section.getByText(/^whsec_/)).toHaveCount(0);
  await entry.getByRole('button', { name: 'Log of CRM' }).click();
  await expect(entry).toContainText('Nothing was sent yet.');
  await entry.getByRole('button', { name: 'Remove CRM' }).click();
  await entry.getByRole('button', { name: 'Really remove CRM' }).click();
  await expect(entry).toHaveCount(0);
});
