// Whether a view is sound on a phone and on a desk, light and dark: nothing axe-core objects to, nothing wider than the window.
import { expect, type Page } from '@playwright/test';
import { violations } from './violations';

/** Pixels by which the page is wider than its window. */
export function tooWide(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Looks at a view as it stands; the page's size and colour scheme are changed. */
export async function sound(page: Page, what: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect.soft(await violations(page), `${what}, ${width} px, ${colorScheme}`).toEqual([]);
    }
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await tooWide(page), `${what} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
}
