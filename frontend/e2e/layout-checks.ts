// Layout checks of a view at phone and desktop widths, light and dark: no axe-core violation, no
// overflow.
import { expect, type Locator, type Page } from '@playwright/test';
import { colorRules, violations } from './violations';

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

const softly = expect.configure({ soft: true });

/** The widths of the window that are checked: of phones, a tablet and desks. */
export const widths = [320, 390, 768, 1280];

/** Checks the current view; changes the page's size and color scheme. */
export async function checkLayout(page: Page, what: string) {
  for (const width of [...widths, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    // What follows a media query by script is drawn a moment later.
    await softly
      .poll(() => overflowWidth(page), { message: `${what} at ${width} px`, timeout: 2000 })
      .toBeLessThanOrEqual(0);
    if (!widths.includes(width)) continue;
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const rules = colorScheme === 'dark' ? colorRules : undefined;
      expect.soft(await violations(page, { rules }), `${what}, ${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}

/** Where an element is drawn, with its right and lower edges. */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not drawn`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}
