// Page titles for client-side navigation, from seeds/site/pages.json.
import pages from '@seeds/site/pages.json?pick=key,title';
import { fillPlaceholders } from '../company';
import type { PathMatch } from './route-manifest';

/** The document title of a page. */
export function titleOf({ page, params }: PathMatch): string {
  const title = pages.find(({ key }) => key === page.key)?.title ?? '';
  return fillPlaceholders(title, { 'state.name': nameOfSlug(params.slug ?? '') });
}

/** Converts the slug "new-york" to the name "New York". */
function nameOfSlug(slug: string): string {
  return slug.replace(/(^|-)([a-z])/g, (_, dash, letter) => (dash ? ' ' : '') + letter.toUpperCase());
}
