// What the header and footer link to. Labels come from the spine, so a page is called the same everywhere.
import { pageByKey } from '../content/pages';

/** A link of a menu. */
export type Entry = { href: string; label: string };

function entries(...keys: string[]): Entry[] {
  return keys.map((key) => {
    const { path, menu } = pageByKey(key);
    return { href: path ?? '/', label: menu ?? key };
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
