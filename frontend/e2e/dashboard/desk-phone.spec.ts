// A request that comes by phone, and one that is marked as spam: by keys and by pointer.
import { createQuote, openDesk, openDeskWithQuote, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, test } from '../fixtures';

test('p takes a request by phone, whose text survives a reload', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request);
  await page.keyboard.press('p');
  const form = page.getByRole('form', { name: 'Request by phone' });
  await expect(form.getByLabel('Phone number')).toBeFocused();
  await form.getByLabel('First name').fill('Nadia');
  await form.getByLabel('Location').fill(place);
  await form.getByLabel(/Description/).fill('Two guards at the "north" gate; 9 -- 5');
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/phone/drafts/phone'));
  await form.getByLabel('Today').check();
  await kept;
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: 'Phone request' }).click();
  await expect(form.getByLabel('First name')).toHaveValue('Nadia');
  await expect(form.getByLabel('Today')).toBeChecked();

  await form.getByRole('button', { name: 'Store request' }).click();
  await expect(form.getByRole('alert')).toContainText('Some fields need another look');
  await expect(form.getByLabel('Phone number')).toBeFocused();
  await form.getByLabel('Last name').fill('Osei');
  await form.getByLabel('Phone number').fill('713 555 0199');
  await form.getByLabel('Service type').selectOption('Fire Watch');
  await form.getByLabel('Start date').fill('2099-12-01');
  await form.getByLabel('Duration').selectOption('1 week');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('.toast')).toContainText('Phone request stored');
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'Nadia Osei' })).toBeVisible();
  await expect(panel.locator('.timeline')).toContainText(
    'Took this request by phone, promised an answer for',
  );
  await expect(rowOf(page, place).locator('.row-assignee')).toContainText('dispatch');
  await expect(panel).toContainText('by phone');
  await expect(panel).toContainText('Two guards at the "north" gate; 9 -- 5');
  await expect(panel).toContainText('No email address was given.');
  await expect(panel.getByRole('button', { name: 'Reply' })).toHaveCount(0);
  await expect(panel.getByRole('link', { name: '713 555 0199' })).toHaveAttribute('href', 'tel:+17135550199');
});

test('a known number offers its customer with their requests, and one press takes over what is known', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  const phone = `(281) 555-${String(1000 + (process.pid % 9000))}`;
  const walter = { first_name: 'Walter', last_name: 'Hobbs', company: 'Hobbs Mills', phone };
  await createQuote(request, place, { ...walter, email: 'walter@hobbs.example' });
  await openDesk(page, place);
  await page.keyboard.press('p');
  const form = page.getByRole('form', { name: 'Request by phone' });
  const known = form.locator('.known-customer');
  await expect(form.getByLabel('Phone number')).toBeFocused();
  await page.keyboard.type(phone.replace(/\D/g, '').slice(0, 6));
  await expect(known).toHaveCount(0);
  await page.keyboard.type(phone.replace(/\D/g, '').slice(6));
  await expect(known).toContainText(/Walter Hobbs, Hobbs Mills: 1 request, last GP-/);
  await expect(known.getByRole('link')).toContainText(`Fire Watch, ${place}`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(known.getByRole('button')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.getByLabel('Service type')).toBeFocused();
  await expect(form.getByLabel('First name')).toHaveValue('Walter');
  await expect(form.getByLabel('Company')).toHaveValue('Hobbs Mills');
  await expect(form.locator('[name="email"]')).toHaveValue('walter@hobbs.example');
  await expect(form.getByLabel('Location')).toHaveValue(place);
  await expect(known).toHaveCount(1);

  // By the address, below it.
  await form.getByLabel('Phone number').fill('832 555 0100');
  await expect(form.locator('.field:has([name="email"]) + .known-customer')).toContainText('Walter Hobbs');
});

test('a number, a first name and a service are enough', async ({ page, request }) => {
  await openDeskWithQuote(page, request);
  await page.keyboard.press('p');
  const form = page.getByRole('form', { name: 'Request by phone' });
  await form.getByLabel('Phone number').fill('713 555 0142');
  await form.getByLabel('First name').fill('Zelda');
  for (const name of ['Last name', 'Location', 'Duration', 'Start date']) {
    const field = form.getByLabel(name);
    await (name === 'Duration' ? field.selectOption('') : field.fill(''));
  }
  await form.getByLabel('Service type').selectOption('Fire Watch');
  await page.keyboard.press('Control+Enter');
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'Zelda', exact: true })).toBeVisible();
  await expect(panel.getByRole('textbox')).toHaveCount(0);
});

test('a request that is marked as spam is held, and z brings it back', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request, { description: 'Call 832-555-0100 at the gate' });
  await rowOf(page, place).locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('link', { name: '832-555-0100' })).toHaveAttribute('href', 'tel:+18325550100');
  await expect(panel.getByRole('link', { name: 'Map' })).toHaveAttribute('href', /query=Post/);
  await expect(panel.locator('.request-facts').first()).toContainText(/Time there.*C[SD]T/);
  await panel.getByText('More', { exact: true }).click();
  await panel.getByRole('button', { name: 'Mark as spam' }).click();
  await expect(page.locator('.toast')).toContainText('Marked as spam');
  await expect(panel).toContainText('Marked as spam by the office');
  await page.locator('h2#panel-title').click();
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('is not spam');
  await expect(rowOf(page, place)).toBeVisible();
});
