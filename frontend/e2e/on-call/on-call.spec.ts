// The page of who is on call: schedule, swap, numbers, alarms and webhooks, worked by keyboard.
import { kim } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';
import { checkLayout } from '../layout-checks';

test.describe.configure({ mode: 'serial' });

/** Yesterday's day of the week where the office is, such as "Monday". */
const yesterdayInHouston = () =>
  new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'America/Chicago' }).format(
    Date.now() - 24 * 3_600_000,
  );

test('a rotation of two people is one line, and a time without anybody is loud', async ({
  page,
  server,
  request,
}) => {
  await kim(server, request);
  await signIn(page);
  await expectDashboard(page);
  await page.getByRole('link', { name: 'On call', exact: true }).click();
  await expect(page.getByText('There is no on-call schedule yet.')).toBeVisible();
  // A weekly handover at 8:00 on the day before today, since the week of today's begins at 8:00
  // only: one line, by keyboard.
  await page.getByRole('button', { name: 'Add a rotation' }).focus();
  await page.keyboard.press('Enter');
  const rotation = page.getByRole('group', { name: 'Rotation 1: around the clock' });
  await expect(rotation.getByRole('combobox', { name: 'First', exact: true })).toBeFocused();
  await rotation.getByRole('combobox', { name: 'First', exact: true }).selectOption('dispatch');
  await rotation.getByRole('combobox', { name: 'Then', exact: true }).selectOption('kim');
  const handover = rotation.getByRole('combobox', { name: 'On', exact: true });
  await handover.selectOption(yesterdayInHouston());
  const weekday = await handover.inputValue();
  await page.getByRole('button', { name: 'Save schedule' }).press('Enter');
  await expect(page.locator('.toast')).toContainText('Schedule saved');
  const now = page.locator('.on-call-now');
  await expect(now).toContainText('dispatch is on call until ');
  await expect(now).toContainText('8:00 AM');
  await expect(page.locator('.strip-day')).toHaveCount(28);
  await expect(page.locator('.strip-gap')).toHaveCount(0);
  await checkLayout(page, 'a rotation');
  await page.reload();
  await expect(rotation.getByRole('listitem')).toHaveCount(2);
  await expect(rotation.getByRole('listitem').first()).toContainText('dispatch');
  await expect(handover).toHaveValue(weekday);
  await expect(rotation.getByLabel('At', { exact: true })).toHaveValue('08:00');
  await page.getByText('The next four weeks', { exact: true }).click();
  await expect(page.locator('#schedule-title ~ details')).toContainText('kim');

  // Only the nights are covered: the days are named at once, and shown.
  await rotation.getByRole('button', { name: 'Remove rotation 1' }).click();
  await page.getByRole('button', { name: 'Others at night' }).click();
  const nights = page.getByRole('group', { name: 'Rotation 1: nights' });
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.getByText('Choose the people of rotation 1, or remove it.')).toBeVisible();
  await nights.getByRole('combobox', { name: 'First', exact: true }).selectOption('dispatch');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  const gaps = page.getByRole('alert').filter({ hasText: 'Nobody is on call in these times' });
  await expect(gaps).toContainText('8:00 AM to');
  await expect(gaps).toContainText(/and \d+ more/);
  await expect(gaps).toBeInViewport();
  await expect(page.getByRole('region', { name: 'Now and next' })).toContainText('Nobody is on call');
  await expect(page.locator('.strip-gap').first()).toBeVisible();
  await checkLayout(page, 'gaps of the schedule');

  // The rest around the clock, and a single shift that counts first.
  await page.getByRole('button', { name: 'Add a rotation' }).click();
  const always = page.getByRole('group', { name: 'Rotation 2: around the clock' });
  await always.getByRole('combobox', { name: 'First', exact: true }).selectOption('kim');
  await page.getByRole('button', { name: 'Add a single shift' }).click();
  const shifts = page.getByRole('group', { name: /^Shift / });
  await expect(shifts.first().getByLabel('Person')).toBeFocused();
  await shifts.first().getByLabel('From').fill('25:00');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.locator('.form-alert')).toBeVisible();
  await shifts.first().getByLabel('From').fill('09:00');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(gaps).toHaveCount(0);
  await page.reload();
  await expect(shifts).toHaveCount(1);
  await expect(always).toContainText('kim');
  await shifts.first().getByRole('button', { name: 'Remove shift 1' }).press('Enter');
  await expect(shifts).toHaveCount(0);
});

test('the address of the calendar is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/on-call');
  const section = page.getByRole('region', { name: 'Calendar' });
  const address = (await section.locator('.secret').textContent()) ?? '';
  await section.getByRole('button', { name: 'Copy' }).click();
  await expect(page.locator('.toast')).toContainText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
});

test('somebody else takes a time, which is taken back after a second press', async ({ page }) => {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/on-call');
  const section = page.getByRole('region', { name: 'Overrides and swaps' });
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(section.getByText('Choose both times.')).toBeVisible();
  await section.getByLabel('Instead').selectOption('kim');
  await section.getByLabel('From').fill('2099-12-01T08:00');
  await section.getByLabel('Until').fill('2099-12-01T20:00');
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  const entry = section.getByRole('listitem').filter({ hasText: 'kim' });
  await expect(entry).toBeVisible();
  await entry.getByRole('button', { name: 'Remove' }).click();
  await entry.getByRole('button', { name: 'Really remove' }).click();
  await expect(entry).toHaveCount(0);
});

test('dragging over days of the strip puts another person on call for them', async ({ page }) => {
  await signIn(page);
  await expectDashboard(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/admin/on-call');
  const days = page.locator('.strip-day');
  const [from, to] = [days.nth(10), days.nth(8)];
  const dayOf = async (nth: number) => (await days.nth(nth).getAttribute('data-day')) ?? '';
  await from.scrollIntoViewIfNeeded();
  // A drag that ends with Escape chooses nothing.
  await from.hover();
  await page.mouse.down();
  await expect(page.locator('.strip-chosen')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.locator('.strip-chosen')).toHaveCount(0);
  await page.mouse.up();
  // From a later day to an earlier one, by real presses.
  await from.hover();
  await page.mouse.down();
  await to.hover();
  await expect(page.locator('.strip-chosen')).toHaveCount(3);
  await page.mouse.up();
  const section = page.getByRole('region', { name: 'Overrides and swaps' });
  await expect(section.getByLabel('Instead')).toBeFocused();
  await expect(section.getByLabel('From')).toHaveValue(`${await dayOf(8)}T00:00`);
  await expect(section.getByLabel('Until')).toHaveValue(`${await dayOf(11)}T00:00`);
  await section.getByLabel('Instead').selectOption('kim');
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  const entry = section.getByRole('listitem').filter({ hasText: 'kim' });
  await expect(entry).toBeVisible();
  for (const nth of [8, 9, 10]) await expect(days.nth(nth)).toContainText('kim');
  await entry.getByRole('button', { name: 'Remove' }).click();
  await entry.getByRole('button', { name: 'Really remove' }).click();
  await expect(entry).toHaveCount(0);
});

test('a number is checked and kept, and a test alarm is acknowledged', async ({ page }) => {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/on-call');
  const number = page.getByLabel('Number of dispatch');
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
  await expect(alarm).toContainText('acknowledged by dispatch');
  // A person without a number and a device is tested alone, with the result beside the name.
  const kim = page.getByRole('listitem').filter({ has: page.getByLabel('Number of kim') });
  await expect(kim).toContainText('No device and no number: alarms come by email only.');
  await kim.getByRole('button', { name: 'Send a test to kim' }).click();
  const result = kim.getByRole('status');
  await expect(result).toContainText('Told: kim by email.');
  await expect(result).toContainText('Not acknowledged.');
  const alone = alarms.getByRole('listitem').filter({ hasText: 'Test alarm of kim alone' });
  await expect(alone).toContainText('Told: kim by email.');
  await alone.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(result).toContainText('Acknowledged by dispatch.');
  await checkLayout(page, 'tests of people');
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
