// The content editor: its address, its lists, two editors at once.
import { expect, signIn, test } from '../fixtures';
import { openEditor } from './site-helpers';

test.describe.configure({ mode: 'serial' });

test('the editor has an address of its own, to which the former one leads', async ({ page }) => {
  await signIn(page);
  await page.getByRole('link', { name: 'Site', exact: true }).click();
  const heading = page.getByRole('heading', { name: 'Site', exact: true });
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL('/admin/site');
  // An emergency of another test takes the title.
  await expect(page).toHaveTitle(/^Site|EMERGENCY/);
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

test('an added entry opens at its first field, takes its name from it, and is moved by keyboard', async ({
  page,
}) => {
  await openEditor(page);
  await page.getByRole('link', { name: 'Clients', exact: true }).click();
  await expect(page).toHaveURL('/admin/site?section=clients');
  await page.getByRole('button', { name: 'Add client' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toBeFocused();
  const entries = page.locator('.site-list > ul > li');
  await expect(entries).toHaveCount(17);
  await page.keyboard.type('Tulsa Rail');
  await expect(page.getByText('Tulsa Rail', { exact: true })).toBeVisible();
  const up = page.getByRole('button', { name: 'Up Tulsa Rail', exact: true });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect(up).toBeFocused();
  await expect(entries.nth(15)).toContainText('Tulsa Rail');
  await expect(name).toHaveValue('Tulsa Rail');
  await page.reload();
  await expect(entries.nth(15), 'what is not complete is kept').toContainText('Tulsa Rail');
  await expect(page.getByText('Kept in this browser: some fields are not complete.')).toBeVisible();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByLabel('Kind'), 'the first field that breaks a rule').toBeFocused();
  await page.getByRole('button', { name: 'Remove Tulsa Rail', exact: true }).click();
  await expect(entries).toHaveCount(16);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByText('As published.')).toBeVisible();
});

test('sections are found by a word and say their state, beside a form with room', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openEditor(page);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await expect(sections.getByRole('listitem').filter({ hasText: 'Testimonials' })).toContainText('sample');
  await page.getByLabel('Find a section').fill('licen');
  await expect(sections.getByRole('link', { name: 'Licenses' })).toBeVisible();
  await expect(sections.getByRole('link', { name: 'Clients' })).toHaveCount(0);
  await page.getByLabel('Find a section').fill('nothing has this');
  await expect(sections.getByText('No section has these words.')).toBeVisible();
  await page.getByLabel('Find a section').fill('');
  // The form begins at the top of the window, and its buttons leave most of it free.
  const form = await page.locator('.site-form .site-section').first().boundingBox();
  const buttons = await page.locator('.site-save').boundingBox();
  expect(form?.y).toBeLessThan(200);
  expect((buttons?.y ?? 0) - (form?.y ?? 0)).toBeGreaterThan(450);
  // A page has its name, and is shown as wide as on a phone by a switch.
  await expect(page.getByLabel('Preview of').locator('option', { hasText: /^\// })).toHaveCount(0);
  await page.getByLabel('Preview of').selectOption('Prices');
  const frame = page.locator('iframe[title="The page with the drafts"]');
  await expect(frame.contentFrame().getByRole('heading', { level: 1 })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'As on a phone' }).click();
  await expect.poll(async () => (await frame.boundingBox())?.width).toBe(390);
});

test('the bar at the foot covers no field that the keyboard comes to, at any width', async ({ page }) => {
  await openEditor(page);
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/admin/site?section=prices');
    await page.locator('.site-section').getByRole('textbox').first().focus();
    const covered = () =>
      page.evaluate(() => {
        const bar = document.querySelector('.site-save');
        const field = document.activeElement;
        if (!bar || !field || bar.contains(field)) return undefined;
        return field.getBoundingClientRect().bottom - bar.getBoundingClientRect().top;
      });
    let fields = 0;
    for (let over = await covered(); over !== undefined && fields < 40; over = await covered()) {
      expect(over, `field ${fields} at ${width} px`).toBeLessThanOrEqual(0);
      fields += 1;
      await page.keyboard.press('Tab');
    }
    expect(fields).toBeGreaterThan(10);
  }
  // With all its buttons it leaves most of a phone's window free.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.site-section').getByRole('textbox').first().fill('What guards cost');
  await expect(page.getByText(/^Draft saved \w/)).toBeVisible();
  expect((await page.locator('.site-save').boundingBox())?.height).toBeLessThanOrEqual(72);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByText('As published.')).toBeVisible();
});

test('a state is found by its name, and its page is previewed', async ({ page }) => {
  await openEditor(page);
  await page.goto('/admin/site?section=states');
  await page.getByLabel('Search 50 entries').fill('ohi');
  await expect(page.locator('.site-list > ul > li')).toHaveCount(1);
  await page.locator('summary', { hasText: 'Ohio' }).click();
  const preview = page.frameLocator('iframe[title="The page with the drafts"]');
  await expect(preview.getByRole('heading', { level: 1 })).toContainText('Ohio');
  await expect(preview.getByText('Preview: drafts that are not public.')).toBeVisible();
  await preview.locator('footer a[href*="path=/licensing"]').first().click();
  await expect(page.getByLabel('Preview of')).toHaveValue('/licensing');
});

test('what is typed is saved without a press, and a colleague who looks on is told', async ({
  page,
  context,
}) => {
  const api = await openEditor(page);
  const other = await context.newPage();
  await other.goto('/admin/site?section=faqs');
  await expect(other.getByRole('heading', { name: 'Questions' })).toBeVisible();
  await page.goto('/admin/site?section=facts');
  await page.getByLabel('Hours').fill('Every day, all night');
  // Both are told at about the same time, for a few seconds.
  await Promise.all([
    expect(page.getByText(/^Draft saved \w/)).toBeVisible(),
    expect(other.getByText('saved a draft of Company facts.')).toBeVisible({ timeout: 15_000 }),
  ]);
  await expect(other.getByRole('link', { name: 'Company facts (draft)' })).toBeVisible();
  const { sections } = await api.content();
  const facts = sections.find(({ key }) => key === 'facts')?.value as { hours: string };
  expect(facts.hours).toBe('Every day, all night');
  await other.close();

  await page.getByText('Publish later').click();
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Day and time').fill(`${day}T09:30`);
  await page.getByRole('button', { name: 'Schedule' }).click();
  await expect(page.getByRole('link', { name: 'Company facts (scheduled)' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Take off the schedule' }).click();
  await expect(page.getByRole('link', { name: 'Company facts (draft)' })).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Hours: ');
  await expect(question.locator('ins')).toHaveText('Every day, all night');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByText('As published.')).toBeVisible();
});

test('the second of two editors is told and keeps what was typed', async ({ page }) => {
  const api = await openEditor(page);
  await page.getByRole('link', { name: 'Clients', exact: true }).click();
  // Another test may have renamed the first one.
  await page
    .locator('.site-list')
    .getByRole('button', { name: /^Remove / })
    .first()
    .click();
  const { sections } = await api.content();
  const clients = sections.find(({ key }) => key === 'clients')?.value as unknown[];
  await api.call('PUT', '/drafts/clients', { number: 0, value: clients.slice(2) });
  await expect(page.getByText('Nothing you typed is lost', { exact: false })).toBeVisible();
  await expect(page.locator('.site-list > ul > li')).toHaveCount(15);
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(page.getByText('Draft saved').first()).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('link', { name: 'Clients', exact: true })).toBeVisible();
});
