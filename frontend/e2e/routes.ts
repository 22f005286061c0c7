// Every public route, from the same seeds as the site.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const seeds = resolve(import.meta.dirname, '../../seeds/site');
const read = (name: string) => JSON.parse(readFileSync(resolve(seeds, name), 'utf8'));

export const states: { slug: string; name: string }[] = read('states.json').states ?? read('states.json');

const fixed: string[] = (read('pages.json') as { path: string | null }[])
  .map((page) => page.path)
  .filter((path): path is string => path !== null && !path.includes('{'));

const pages = fixed.filter((path) => !path.startsWith('/admin'));
export const all = [...pages, ...states.map(({ slug }) => `/states/${slug}`)];

/** One of each kind of page. */
export const kinds = [
  '/',
  '/fire-watch',
  '/about',
  '/contact',
  '/quote',
  '/event-security',
  '/insurance',
  '/careers',
  '/states/alaska',
  '/privacy',
  '/no/such/page',
];

/** The other pages with tables, lists or long names. */
export const longest = [
  '/security-services',
  '/mobile-patrol',
  '/surveillance',
  '/concierge',
  '/licensing',
  '/prices',
  '/locations',
  '/terms',
  '/states/texas',
  '/states/massachusetts',
  '/states/north-carolina',
];
