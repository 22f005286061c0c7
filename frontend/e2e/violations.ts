// What axe-core says against a page: WCAG 2.2 AA and its best practices.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Each violation with up to three of the places it stands in. */
export async function violations(page: Page, without: string[] = []): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(tags).disableRules(without).analyze();
  const places = (nodes: { target: unknown[] }[]) => nodes.slice(0, 3).map(({ target }) => target.join(' '));
  return found.map(({ id, nodes }) => `${id}: ${places(nodes).join(' | ')}`);
}
