// The office changes what the site says: draft, preview, publish, a step back; two editors; the longest texts.
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, signIn, test } from './fixtures';
import { checkLayout, clippedText, overflowWidth } from './layout-checks';

test.describe.configure({ mode: 'serial' });

type Section = { key: string; value: unknown; draft: { number: number } | null };
type Content = { version: number; sections: Section[] };

/** The signed-in admin's access token, from the page's storage. */
async function tokenOf(page: Page): Promise<string> {
  const stored = await page.evaluate(() => localStorage.getItem('guardpost.session'));
  return JSON.parse(stored ?? '{}').access_token;
}

class Api {
  constructor(
    private readonly request: APIRequestContext,
    private readonly token: string,
  ) {}

  async call(method: string, path: string, data?: unknown) {
    const headers = { Authorization: `Bearer ${this.token}` };
    const answer = await this.request.fetch(`/api/admin/site${path}`, { method, headers, data });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  }

  content(): Promise<Content> {
    return this.call('GET', '');
  }

  async publish(key: string, value: unknown) {
    const { version, sections } = await this.content();
    const number = sections.find((section) => section.key === key)?.draft?.number ?? 0;
    const draft = await this.call('PUT', `/drafts/${key}`, { number, value });
    await this.call('POST', '/publish', { version, drafts: { [key]: draft.number } });
  }
}

async function openEditor(page: Page): Promise<Api> {
  await signIn(page);
  await expect(page.getByRole('link', { name: 'Site', exact: true })).toBeVisible();
  await page.goto('/admin?view=site');
  await expect(page.getByRole('heading', { name: 'Site', exact: true })).toBeVisible();
  return new Api(page.request, await tokenOf(page));
}

test('a question is changed, previewed, published, shown without hydration changes, and taken back', async ({
  page,
  context,
}) => {
  await openEditor(page);
  await page.getByRole('button', { name: 'Questions', exact: true }).click();
  await page.getByText('Are you licensed and insured?').click();
  const question = page.getByLabel('Question', { exact: true });
  await question.fill('');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('This is empty.')).toBeVisible();
  await question.fill('Are you "licensed" <now>?');
  await expect(page.getByText('25 of 90 characters')).toBeVisible();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByRole('button', { name: 'Questions (draft)' })).toBeVisible();

  await page.getByRole('button', { name: 'Preview' }).click();
  const [preview] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Home', exact: true }).click(),
  ]);
  await expect(preview.getByText('Are you "licensed" <now>?')).toHaveCount(1);
  await preview.close();

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Published. Every page shows it now.')).toBeVisible();
  const visitor = await context.newPage();
  await visitor.addInitScript(() => {
    const changes: string[] = [];
    Object.assign(window, { changes });
    addEventListener('DOMContentLoaded', () => {
      const app = document.getElementById('app');
      const watcher = new MutationObserver((all) => {
        for (const { type, target, attributeName } of all)
          changes.push(`${type} ${attributeName} ${(target as Element).className}`);
      });
      if (app)
        watcher.observe(app, { subtree: true, childList: true, attributes: true, characterData: true });
    });
  });
  await visitor.goto('/');
  await visitor.waitForFunction(() => history.scrollRestoration === 'manual');
  await expect(visitor.getByText('Are you "licensed" <now>?')).toHaveCount(1);
  expect(await visitor.evaluate(() => (window as unknown as { changes: string[] }).changes)).toEqual([]);
  await visitor
    .locator('a[href="/about"]')
    .first()
    .evaluate((link: HTMLElement) => link.click());
  await visitor.waitForURL('/about');
  await visitor.goBack();
  await expect(visitor.getByText('Are you "licensed" <now>?')).toHaveCount(1);
  await visitor.close();

  await page.getByRole('button', { name: /^Go back to version/ }).click();
  await expect(page.getByText('The version before is published again.')).toBeVisible();
  await page.goto('/');
  await expect(page.getByText('Are you licensed and insured?')).toHaveCount(1);
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

test('the editor has no overflow and no violation', async ({ page }) => {
  await openEditor(page);
  await checkLayout(page, 'the editor');
});

test('the longest allowed texts keep the layout at 320', async ({ page }) => {
  const api = await openEditor(page);
  const long = (max: number) =>
    'Incomprehensibilities '
      .repeat(30)
      .slice(0, max - 1)
      .trim()
      .padEnd(max, 'e');
  const { sections } = await api.content();
  const company = sections.find(({ key }) => key === 'company')?.value as {
    hero: object;
    stats: object[];
    mission: object;
  };
  const clients = sections.find(({ key }) => key === 'clients')?.value;
  try {
    await api.publish('company', {
      ...company,
      hero: { heading: long(70), lead: long(260) },
      stats: company.stats.map(() => ({ value: '1,000,00', label: long(30) })),
      mission: { ...company.mission, heading: long(60), kicker: long(24) },
    });
    await api.publish('clients', [
      { sample: false, name: long(48), category: long(28), location: long(28), state: 'north-carolina' },
    ]);
    for (const path of ['/', '/about']) {
      await page.setViewportSize({ width: 320, height: 800 });
      await page.goto(path);
      expect(await overflowWidth(page), path).toBeLessThanOrEqual(0);
      expect(await clippedText(page), path).toEqual([]);
    }
  } finally {
    await api.publish('company', company);
    await api.publish('clients', clients);
  }
});
