// The content editor: its address, its lists, two editors at once.
import { expect, signIn, test } from './fixtures';
import { openEditor } from './site-helpers';

test.describe.configure({ mode: 'serial' });

test('the editor has an address of its own, to which the former one leads', async ({ page }) => {
  await signIn(page);
  await page.getByRole('link', { name: 'Site', exact: true }).click();
  const heading = page.getByRole('heading', { name: 'Site', exact: true });
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL('/admin/site');
  await expect(page).toHaveTitle(/^Site/);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await page.goBack();
  await expect(heading).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  await page.goForward();
  await expect(heading).toBeVisible();
  await page.reload();
  await expect(heading).toBeVisible();
  await page.goto('/admin?view=site');
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL('/admin/site');
});

test('entries are added, moved by keyboard and removed', async ({ page }) => {
  await openEditor(page);
  await page.getByRole('button', { name: 'Clients', exact: true }).click();
  await page.getByRole('button', { name: 'Add client' }).click();
  const entries = page.locator('.site-list > ul > li');
  await expect(entries).toHaveCount(17);
  await page.getByRole('button', { name: 'Up 17', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Up 16', exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Remove 16', exact: true }).click();
  await expect(entries).toHaveCount(16);
});

test('the second of two editors is told and keeps what was typed', async ({ page }) => {
  const api = await openEditor(page);
  await page.getByRole('button', { name: 'Clients', exact: true }).click();
  await page.getByRole('button', { name: 'Remove Sample Harbor Terminals' }).click();
  const { sections } = await api.content();
  const clients = sections.find(({ key }) => key === 'clients')?.value as unknown[];
  await api.call('PUT', '/drafts/clients', { number: 0, value: clients.slice(2) });
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('Nothing of yours is lost', { exact: false })).toBeVisible();
  await expect(page.locator('.site-list > ul > li')).toHaveCount(15);
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(page.getByText('Draft saved')).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('button', { name: 'Clients', exact: true })).toBeVisible();
});
