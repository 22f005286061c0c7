// What the header and footer link to. Labels come from the spine, so a page is called the same everywhere.
import pages from '@seeds/site/pages.json?pick=key,path,menu';

/** A link of a menu. */
export type NavLink = { href: string; label: string };

function navLinks(...keys: string[]): NavLink[] {
  return keys.map((key) => {
    const page = pages.find((row) => row.key === key);
    return { href: page?.path ?? '/', label: page?.menu ?? key };
  });
}

/** The five entries of the Services dropdown. */
export const services = navLinks(
  'fire-watch',
  'security-services',
  'mobile-patrol',
  'surveillance',
  'concierge',
);

export const [home, about, contact] = navLinks('home', 'about', 'contact') as [NavLink, NavLink, NavLink];

/** Privacy, terms and licensing. */
export const legal = navLinks('privacy', 'terms', 'licensing');
