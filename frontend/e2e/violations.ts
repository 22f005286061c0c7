// Accessibility violations of a page by axe-core: WCAG 2.2 AA and its best practices.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules about colors: all others find the same in every color scheme. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/** The rules to run: only `rules`, or all but `without`. */
type Choice = { rules?: string[] | undefined; without?: string[] };

/** Lays out every band, as a visitor sees it who has scrolled to it (layout/bands.css). */
export function layOutBands(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const band of document.querySelectorAll<HTMLElement>('.band'))
      band.style.contentVisibility = 'visible';
  });
}

/**
 * Each violation with up to three of its elements. Runs axe-core in the page, without
 * `@axe-core/playwright`: our pages have no frames to combine, and the results of passed rules take
 * most of its time (5.6 s instead of 1.0 s per page).
 */
export async function violations(page: Page, { rules, without = [] }: Choice = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(script);
  await layOutBands(page);
  const options: axe.RunOptions = {
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags },
    resultTypes: ['violations'],
    rules: Object.fromEntries(without.map((id) => [id, { enabled: false }])),
  };
  const found = await page.evaluate(async (options) => {
    const { axe: runner } = window as unknown as { axe: typeof axe };
    // What is half under a bar that stays in sight is so at this place of the scrolling only.
    const bars = [...document.querySelectorAll<HTMLElement>('*')].filter(
      (it) => getComputedStyle(it).position === 'sticky',
    );
    const styles = bars.map(({ style }) => style.cssText);
    for (const { style } of bars) style.cssText += '; position: relative; inset: auto';
    const result = await runner.run(options);
    for (const [at, { style }] of bars.entries()) style.cssText = styles[at] ?? '';
    return result.violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }));
  }, options);
  return found.map(({ id, targets }) => `${id}: ${targets.slice(0, 3).join(' | ')}`);
}
