// The page of figures: what needs doing, then the figures of a period with the lists behind them.
import { readFileSync } from 'node:fs';
import { createQuote, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, failOnConsoleErrors, signIn } from '../fixtures';
import { test } from '../own-server';

test('an owner sees what needs doing, and each figure opens the list behind it', async ({
  page,
  request,
}) => {
  const check = failOnConsoleErrors(page);
  await createQuote(request, uniqueLocation(), { emergency_contact: true });
  await createQuote(request, uniqueLocation());
  await signIn(page);
  await page.getByRole('link', { name: 'Figures' }).click();
  await expect(page.getByRole('heading', { name: 'Figures', exact: true })).toBeVisible();

  const toDo = page.getByRole('region', { name: 'What needs doing' });
  await expect(toDo.getByRole('listitem').first()).toHaveText('1 emergency waits for a call');
  await expect(toDo.getByText('Offers are made with sample rates.')).toBeVisible();

  await page.getByRole('link', { name: 'This week' }).click();
  const requests = page.getByRole('region', { name: 'Requests', exact: true });
  const asked = requests.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Asked' }) });
  await expect(asked).toContainText('2');
  await expect(asked).toContainText('0 before');
  await expect(page.getByRole('img', { name: 'Asked by state' })).toBeVisible();

  const services = page.getByRole('region', { name: 'By service' });
  await services.getByRole('link', { name: 'Fire Watch' }).click();
  await expect(page).toHaveURL(/service=fire-watch/);
  await expect(page.getByText('Marta Núñez').first()).toBeVisible();
  await page.goBack();
  const sources = page.getByRole('region', { name: 'By source' });
  await sources.getByRole('link', { name: 'Other campaigns' }).click();
  await expect(page.getByRole('link', { name: 'Source: Other campaigns (remove)' })).toBeVisible();
  await expect(page.getByText('Marta Núñez').first()).toBeVisible();
  await page.goBack();
  await requests.getByRole('link', { name: 'Emergencies' }).click();
  await expect(page).toHaveURL(/emergency=true/);
  await page.goBack();
  await requests.getByRole('link', { name: 'Answered' }).click();
  await expect(page).toHaveURL(/answered=true/);
  check();
});

test('a table stands behind each drawing and is saved for a spreadsheet', async ({ page, request }) => {
  await createQuote(request, 'Houston, TX');
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/figures?period=month');
  const map = page.getByRole('region', { name: 'Where they ask from' });
  await map.getByText('Table').click();
  await expect(map.getByRole('row', { name: /^Texas 1/ })).toBeVisible();
  const saved = page.waitForEvent('download');
  await map.getByRole('button', { name: 'CSV' }).click();
  const csv = readFileSync(await (await saved).path(), 'utf8');
  expect(csv).toContain('\nTX,1,0,');
  await expect(page.locator('.figure .behind')).toHaveCount(4);
});

test('any two days are a period, and the wrong way round they are refused in words', async ({ page }) => {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/figures');
  await expect(page.getByText('compared with')).toBeVisible();
  await page.getByLabel('From', { exact: true }).fill('2026-03-10');
  await page.getByLabel('To', { exact: true }).fill('2026-03-01');
  await expect(page.getByText('The first day is after the last one.')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('2026-03-12');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/from=2026-03-10&to=2026-03-12/);
  await expect(page.getByText('Mar 10 – Mar 12, 2026')).toBeVisible();
  await expect(page.getByText('Mar 7 – Mar 9, 2026')).toBeVisible();
});
