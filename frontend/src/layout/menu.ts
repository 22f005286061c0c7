// What the header and footer link to. Labels come from the spine, so a page is called the same everywhere.
import pages from '@seeds/site/pages.json?only=key,path,menu';

/** A link of a menu. */
export type Entry = { href: string; label: string };

function entries(...keys: string[]): Entry[] {
  return keys.map((key) => {
    const page = pages.find((row) => row.key === key);
    return { href: page?.path ?? '/', label: page?.menu ?? key };
  });
}

/** The five entries of the Services dropdown. */
export const services = entries(
  'fire-watch',
  'security-services',
  'mobile-patrol',
  'surveillance',
  'concierge',
);

export const [home, about, contact] = entries('home', 'about', 'contact') as [Entry, Entry, Entry];

/** Privacy, terms and licensing. */
export const legal = entries('privacy', 'terms', 'licensing');
