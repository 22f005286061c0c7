// The titles of the pages, needed when a page is opened without loading its document. From seeds/site/pages.json.
import pages from '@seeds/site/pages.json?pick=key,title';
import { fillPlaceholders } from '../company';
import type { PathMatch } from './route-manifest';

/** What the browser's title bar says on a page. */
export function titleOf({ page, params }: PathMatch): string {
  const title = pages.find(({ key }) => key === page.key)?.title ?? '';
  return fillPlaceholders(title, { 'state.name': nameOfSlug(params.slug ?? '') });
}

/** "new-york" to "New York", which is how every state's slug was made. */
function nameOfSlug(slug: string): string {
  return slug.replace(/(^|-)([a-z])/g, (_, dash, letter) => (dash ? ' ' : '') + letter.toUpperCase());
}
