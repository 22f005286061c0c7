// Helpers of the content editor's tests: the editor, and the API behind it.
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, signIn } from '../fixtures';

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

  /** Publishes values of sections, by their keys. */
  async publish(values: Record<string, unknown>) {
    const { version, sections } = await this.content();
    const drafts: Record<string, number> = {};
    for (const [key, value] of Object.entries(values)) {
      const number = sections.find((section) => section.key === key)?.draft?.number ?? 0;
      drafts[key] = (await this.call('PUT', `/drafts/${key}`, { number, value })).number;
    }
    await this.call('POST', '/publish', { version, drafts });
  }
}

/** Signs in and opens the editor; returns the API as the signed-in admin calls it. */
export async function openEditor(page: Page): Promise<Api> {
  await signIn(page);
  await expect(page.getByRole('link', { name: 'Site', exact: true })).toBeVisible();
  await page.goto('/admin/site');
  await expect(page.getByRole('heading', { name: 'Site', exact: true })).toBeVisible();
  return new Api(page.request, await tokenOf(page));
}
