// The page of figures: what needs doing, then the figures of a period with the lists behind them.
import { readFileSync } from 'node:fs';
import { createQuote, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, failOnConsoleErrors, signIn } from '../fixtures';
import { overflowWidth } from '../layout-checks';
import { test } from '../own-server';
import { colorRules, violations } from '../violations';

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

  /** A table, which is folded. */
  const table = async (name: string) => {
    const region = page.getByRole('region', { name });
    await region.getByText('Table', { exact: true }).click();
    return region;
  };
  const services = await table('By service');
  await services.getByRole('link', { name: 'Fire Watch' }).click();
  await expect(page).toHaveURL(/service=fire-watch/);
  await expect(page.getByText('Marta Núñez').first()).toBeVisible();
  await page.goBack();
  const sources = await table('By source');
  await sources.getByRole('link', { name: 'Other campaigns' }).click();
  await expect(page.getByRole('link', { name: 'Source: Other campaigns (remove)' })).toBeVisible();
  await expect(page.getByText('Marta Núñez').first()).toBeVisible();
  await page.goBack();
  await requests.getByRole('link', { name: 'Emergencies', exact: true }).click();
  await expect(page).toHaveURL(/emergency=true/);
  await page.goBack();
  await requests.getByRole('link', { name: 'Answered', exact: true }).click();
  await expect(page).toHaveURL(/answered=true/);
  await page.goBack();
  await requests.getByRole('link', { name: 'Within the promise', exact: true }).click();
  await expect(page).toHaveURL(/emergency=false&within=true/);
  await expect(page.getByRole('link', { name: 'No call asked for (remove)' })).toBeVisible();
  await page.goBack();
  await (await table('By service'))
    .getByRole('row', { name: /^Fire Watch/ })
    .getByRole('link', { name: '2' })
    .click();
  await expect(page).toHaveURL(/service=fire-watch/);
  await page.goBack();
  await page.getByRole('link', { name: 'Duplicates', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Duplicates (remove)' })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Opened', exact: true }).click();
  const states = page.getByRole('navigation', { name: 'Offers by state' });
  await expect(states.getByRole('link', { name: /^All/ })).toHaveAttribute('aria-current', 'true');
  await expect(page.getByText('No offer here passes the filters.')).toBeVisible();
  await page.getByRole('link', { name: 'Opened (remove)' }).click();
  await expect(page).toHaveURL(/show=all&from=[0-9-]+&to=[0-9-]+$/);
  check();
});

test('the figures stay where they are while those of another period are read', async ({ page }) => {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/figures?period=week');
  const body = page.locator('.figures-body');
  await expect(body).toHaveAttribute('aria-busy', 'false');
  const before = await body.evaluate((element) => element.getBoundingClientRect().toJSON());
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/admin/figures?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('link', { name: 'This quarter' }).click();
  await expect(body).toHaveAttribute('aria-busy', 'true');
  const during = await body.evaluate((element) => ({
    box: element.getBoundingClientRect().toJSON(),
    background: getComputedStyle(element).backgroundColor,
  }));
  expect(during).toEqual({ box: before, background: 'rgba(0, 0, 0, 0)' });
  answer();
  await expect(body).toHaveAttribute('aria-busy', 'false');
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
  await expect(page.locator('.figures-charts .behind')).toHaveCount(4);
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

test('the page has no accessibility violations and does not scroll sideways', async ({ page, request }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page);
  await expectDashboard(page);
  for (const state of ['empty', 'one request']) {
    if (state === 'one request') await createQuote(request, 'Houston, TX');
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/admin/figures?period=month');
      await expect(page.getByRole('img', { name: 'Asked by state' })).toBeVisible();
      const at = `${state} at ${width} px`;
      expect(await violations(page), at).toEqual([]);
      expect(await overflowWidth(page), at).toBeLessThanOrEqual(0);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, { rules: colorRules }), `${state} in the dark`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  }
});

test('the report of a period is saved as a PDF', async ({ page }) => {
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/figures?from=2026-03-10&to=2026-03-12');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PDF: report of this period' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('Figures-2026-03-10-2026-03-12.pdf');
  expect(readFileSync(await download.path(), 'latin1').slice(0, 5)).toBe('%PDF-');
});

test('the page prints on two sheets', async ({ page, request }) => {
  await createQuote(request, 'Houston, TX');
  await signIn(page);
  await expectDashboard(page);
  await page.goto('/admin/figures?period=month');
  await expect(page.getByRole('img', { name: 'Asked by state' })).toBeVisible();
  const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2);
});
