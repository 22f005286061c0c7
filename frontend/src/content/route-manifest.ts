// The spine of the site: which pages exist, at which path. From seeds/site/pages.json; titles and menu labels
// are read by titles.ts and layout/menu.ts, because a visitor's first load needs neither.
import pages from '@seeds/site/pages.json?pick=key,path';

/** One row of the spine. `path` is null for the page that answers everything unknown. */
export type PageEntry = { key: string; path: string | null };

export const routeManifest: readonly PageEntry[] = pages;

/** What a path shows: its page and the values its pattern names (`slug` of a state). */
export type PathMatch = { page: PageEntry; params: Record<string, string> };

/** The page with this key. Keys are literal in our code, so a missing one is a mistake in the seeds. */
export function pageByKey(key: string): PageEntry {
  const page = routeManifest.find((row) => row.key === key);
  if (!page) throw new Error(`seeds/site/pages.json has no page "${key}"`);
  return page;
}

/** Finds the page of a path, or the not-found page. */
export function matchPath(path: string): PathMatch {
  for (const page of routeManifest) {
    if (page.path === path) return { page, params: {} };
    const [before, after] = page.path?.split('{slug}') ?? [];
    if (after === undefined || before === undefined || !path.startsWith(before)) continue;
    const slug = path.slice(before.length);
    if (/^[a-z-]+$/.test(slug)) return { page, params: { slug } };
  }
  return { page: pageByKey('not-found'), params: {} };
}
