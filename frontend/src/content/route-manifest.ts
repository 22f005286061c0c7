// The route manifest: which pages exist and at which path, from seeds/site/pages.json. titles.ts
// and layout/nav-links.ts read the titles and labels, because the first load needs neither.
import paths from '@seeds/site/pages.json?pick=path';

/** One page. `path` is null for the not-found page. */
export type PageEntry = { key: string; path: string | null };

/**
 * A page's key is its path with dashes, which saves the first load the keys; a test compares them.
 */
export const routeManifest: readonly PageEntry[] = paths.map((path) => ({ key: keyOf(path), path }));

function keyOf(path: string | null): string {
  if (!path) return 'not-found';
  if (path === '/') return 'home';
  return path.includes('{') ? 'state' : path.slice(1).replaceAll('/', '-');
}

/** The page of a path and its parameters (`slug` of a state). */
export type PathMatch = { page: PageEntry; params: Record<string, string> };

/** Props of every page component. `search` is the query string without its question mark. */
export type PageProps = { page: PathMatch['page']; params: Record<string, string>; search: string };

/** The page with this key, which pages.json has. */
export function pageByKey(key: string): PageEntry {
  return routeManifest.find((row) => row.key === key) as PageEntry;
}

/** The page of a path, or the not-found page. */
export function matchPath(path: string): PathMatch {
  for (const page of routeManifest) {
    if (page.path === path) return { page, params: {} };
    const [before = '', after] = page.path?.split('{slug}') ?? [];
    if (after === undefined || !path.startsWith(before)) continue;
    const slug = path.slice(before.length);
    if (/^[a-z-]+$/.test(slug)) return { page, params: { slug } };
  }
  return { page: pageByKey('not-found'), params: {} };
}
