// What changes in a document after it has been parsed: hydration must change nothing.
import type { Page } from '@playwright/test';

/** Records the changes of each document that `page` loads from now on. */
export async function recordChanges(page: Page) {
  await page.addInitScript(() => {
    const changes: string[] = [];
    const idle = 'content-visibility: visible;';
    Object.assign(window, { changes });
    document.addEventListener('DOMContentLoaded', () => {
      new MutationObserver((records) => {
        for (const { type, target, attributeName } of records) {
          const element = target as Element;
          // The start script sets this address after the first paint.
          if (attributeName === 'href' && element.hasAttribute('data-later')) continue;
          // So does layout/idle-layout.ts with these.
          if (attributeName === 'loading' && (element as HTMLImageElement).loading === 'eager') continue;
          if (attributeName === 'style' && element.getAttribute('style') === idle) continue;
          changes.push(`${type} ${element.className} ${attributeName ?? ''}`);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
  });
}

/** The changes of the present document. */
export function recordedChanges(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { changes: string[] }).changes);
}
