// Layout checks of a view at phone and desktop widths, light and dark: no axe-core violation, no
// overflow.
import { expect, type Page } from '@playwright/test';
import { violations } from './violations';

/** Pixels by which the page is wider than its window. */
export function overflowWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Sets all text at twice its size, as a visitor's own setting would (WCAG 1.4.4). */
export function doubleText(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
}

/**
 * Texts partly outside the window: some sections clip overflow, so that the page itself is not
 * wider. Rows to swipe through may.
 */
export function clippedText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const text = texts.currentNode;
      const drawn = text.parentElement?.checkVisibility({ visibilityProperty: true });
      if (!drawn || text.parentElement?.closest('.visually-hidden, .skip-link, .swipe, svg')) continue;
      range.selectNodeContents(text);
      const outside = [...range.getClientRects()].some(
        ({ left, right }) => left < 0 || right > innerWidth + 1,
      );
      if (outside && text.textContent?.trim()) cut.push(text.textContent.trim());
    }
    return cut;
  });
}

/** Checks the current view; changes the page's size and color scheme. */
export async function checkLayout(page: Page, what: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect.soft(await violations(page), `${what}, ${width} px, ${colorScheme}`).toEqual([]);
    }
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await overflowWidth(page), `${what} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
}
