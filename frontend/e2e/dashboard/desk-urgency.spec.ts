// The order of the inbox, and when a call is done: emergencies stay in sight until the customer was
// reached by phone.
import { createQuote, kim, openDesk, rowOf, uniqueLocation, urgent } from '../desk-helpers';
import { expect, expectDashboard, signIn, test } from '../fixtures';

test('an emergency stands above every other request that needs attention', async ({ page, request }) => {
  const [patrol, fire] = [uniqueLocation(), uniqueLocation()];
  await createQuote(request, patrol, { service_type: 'mobile-patrol' });
  await createQuote(request, fire, urgent);
  await createQuote(request, uniqueLocation());
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin?view=attention');
  await expect(rowOf(page, fire)).toBeVisible();
  const calls = await page
    .locator('.row')
    .evaluateAll((rows) => rows.map((row) => row.textContent?.includes('Call now')));
  const lastCall = calls.lastIndexOf(true);
  expect(lastCall).toBeGreaterThanOrEqual(0);
  expect(calls.slice(0, lastCall + 1).every(Boolean), 'only emergencies above the last one').toBe(true);
});

test('"Call now" stays after Accept and after a reply, until a call reached the customer', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place, { ...urgent, email: 'wants-call@property.example' });
  await openDesk(page, place);
  const row = rowOf(page, place);
  await expect(row).toContainText('Call now');
  const number = row.getByRole('link', { name: 'Call Marta Núñez, (713) 555-0188' });
  await expect(number).toHaveAttribute('href', 'tel:+17135550188');
  await row.getByRole('button', { name: 'Accept' }).click();
  await expect(row).toContainText('in progress');
  await expect(row).toContainText('Call now');
  const { call } = await kim(server, request);
  await call('POST', `inbox/${id}/replies`, { subject: 'Your request', text: 'We try to reach you.' });
  await server.waitForEmail('We try to reach you.');
  await expect(row).toContainText('Emailed, not reached');
  await expect(row).toContainText(/left/);
  await row.locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText('Not reached by phone.');
  await panel.getByRole('button', { name: 'Log a call' }).click();
  await panel.getByLabel('Reached').check();
  await panel.getByRole('button', { name: 'Save call' }).click();
  await expect(row).not.toContainText('Call now');
  await expect(row).toContainText('Reached');
});

test('a new emergency is announced as one, and a press brings it into view and marks it', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  await createQuote(request, uniqueLocation(), urgent);
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin?view=attention');
  await expect(page.locator('.row').first()).toBeVisible();
  await createQuote(request, place, urgent);
  const banner = page.getByRole('button', { name: /new request/ });
  await expect(banner).toContainText('emergenc');
  await banner.click();
  const row = rowOf(page, place);
  await expect(row).toBeInViewport();
  await expect(row).toHaveClass(/row-fresh/);
});

test('the first screen says what burns, and leads to it', async ({ page, request }) => {
  const place = uniqueLocation();
  await createQuote(request, place, urgent);
  await signIn(page);
  await expectDashboard(page);
  const headline = page.getByRole('link', { name: /emergenc(y|ies) open/ });
  await headline.click();
  await expect(page).toHaveURL(/view=attention&emergency=true/);
  await expect(rowOf(page, place)).toBeVisible();
  const accept = rowOf(page, place).getByRole('button', { name: /^Accept GP-/ });
  await expect(accept).toBeVisible();
});
