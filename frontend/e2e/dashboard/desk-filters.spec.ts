// Finding requests in the dashboard: filters, export, previous and next, references.
import {
  createQuote,
  kim,
  openDesk,
  openDeskWithQuote,
  reference,
  rowOf,
  uniqueLocation,
  urgent,
} from '../desk-helpers';
import { expect, test } from '../fixtures';
import { violations } from '../violations';

test('a filter is an address that can be saved under a name and shared', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request, urgent);
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
  await page.getByText('Saved', { exact: true }).click();
  await page.getByRole('button', { name: 'Save filter' }).click();
  await expect(page.getByText('Give the filter a name.')).toBeVisible();
  await page.getByLabel('Save this view as').fill(`Mine ${place}`);
  await page.getByLabel('For everybody').check();
  await page.getByRole('button', { name: 'Save filter' }).click();
  await expect(page.getByRole('link', { name: `Mine ${place} (shared)` })).toBeVisible();
  const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: `Mine ${place}` });
  await expect(tab).toHaveText(`Mine ${place} 1`);
  await expect(tab).toHaveAttribute('aria-current', 'true');
  await page.goto('/admin');
  await tab.click();
  await expect(page).toHaveURL(address);
  await page.goto('/admin');
  await page.getByText('Saved', { exact: true }).click();
  await page.getByRole('link', { name: `Mine ${place} (shared)` }).click();
  await expect(page).toHaveURL(address);
  await expect(rowOf(page, place)).toBeVisible();
  await page.getByText('Saved', { exact: true }).click();
  await page.getByRole('button', { name: `Delete the filter Mine ${place}` }).click();
  await expect(page.getByRole('link', { name: `Mine ${place} (shared)` })).toHaveCount(0);
  await expect(tab).toHaveCount(0);
});

test('a search has a chip, and Esc takes it away, in the field and in the list', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request);
  const search = page.getByLabel('Search requests');
  const chip = page.getByRole('link', { name: /^Search: / });
  await expect(chip).toBeVisible();
  await search.focus();
  await page.keyboard.press('Escape');
  await expect(search).toHaveValue('');
  await expect(page).toHaveURL(/\/admin$/);
  await expect(chip).toHaveCount(0);
  await expect(search).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(search).not.toBeFocused();
  await page.goto(`/admin?q=${place.split(',')[0]}&service=fire-watch`);
  await expect(rowOf(page, place)).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/q=[^&]*$/);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/admin$/);
  await expect(search).toHaveValue('');
});

test('a day filters once its year is whole', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request);
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Received from').focus();
  await page.keyboard.type('0101202');
  await expect(page).not.toHaveURL(/from=/);
  await page.keyboard.type('6');
  await expect(page).toHaveURL(/from=2026-01-01/);
  await expect(page.getByLabel('Received from')).toBeFocused();
  await expect(rowOf(page, place)).toBeVisible();
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
  const place = await openDeskWithQuote(page, request);
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

test('a search says where it has found what no row shows', async ({ page, request, server }) => {
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  const { call } = await kim(server, request);
  const word = `gate${place.split(',')[0]}`;
  await call('POST', `inbox/${id}/notes`, { text: `The code of ${word} is 4711.` });
  await openDesk(page, place);
  await expect(rowOf(page, place)).not.toContainText('Note');
  await page.goto(`/admin?q=${word}`);
  await expect(rowOf(page, place).locator('.row-found')).toHaveText(`Note: The code of ${word} is 4711.`);
});

test('the name of a column sorts the list, which stays so until Esc', async ({ page, request }) => {
  const word = uniqueLocation().split(',')[0] ?? '';
  for (const [city, start_date] of [
    ['Early', '2099-12-01'],
    ['Late', '2099-12-24'],
    ['Middle', '2099-12-12'],
  ])
    await createQuote(request, `${word} ${city}, TX`, { start_date });
  const shows = async (...cities: string[]) => {
    await expect(page.locator('.row-place')).toContainText(['Place', ...cities]);
  };
  await openDesk(page, word);
  await shows('Middle', 'Late', 'Early');
  const starts = page.getByRole('columnheader', { name: 'Starts' });
  const button = starts.getByRole('button');
  await button.click();
  await shows('Early', 'Middle', 'Late');
  await expect(starts).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('link', { name: 'Earliest start first (remove)' })).toBeVisible();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await shows('Late', 'Middle', 'Early');
  await expect(starts).toHaveAttribute('aria-sort', 'descending');
  await page.reload();
  await shows('Late', 'Middle', 'Early');
  await createQuote(request, `${word} Newest, TX`, { start_date: '2099-12-30' });
  await expect(page.getByRole('button', { name: '1 new request' })).toBeVisible();
  await shows('Late', 'Middle', 'Early');
  await page.getByRole('button', { name: '1 new request' }).click();
  await shows('Newest', 'Late', 'Middle', 'Early');
  expect(await violations(page)).toEqual([]);
  await rowOf(page, `${word} Late, TX`).locator('.row-link').click();
  await expect(page.getByRole('complementary')).toBeVisible();
  await expect(page).toHaveURL(/sort=-start/);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/sort=-start$/);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/sort=/);
  await shows('Newest', 'Middle', 'Late', 'Early');
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Order', { exact: true }).selectOption({ label: 'Oldest first' });
  await shows('Early', 'Late', 'Middle', 'Newest');
});
