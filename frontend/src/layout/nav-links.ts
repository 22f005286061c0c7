// The links of the header and the footer. Labels come from seeds/site/pages.json, so a page has the
// same name everywhere.
import pages from '@seeds/site/pages.json?pick=key,path,menu';

/** A navigation link. */
export type NavLink = { href: string; label: string };

function navLinks(...keys: string[]): NavLink[] {
  return keys.map((key) => {
    const page = pages.find((row) => row.key === key);
    return { href: page?.path ?? '/', label: page?.menu ?? key };
  });
}

/** The five links of the Services dropdown. */
export const services = navLinks(
  'fire-watch',
  'security-services',
  'mobile-patrol',
  'surveillance',
  'concierge',
);

/** The services by kind of site. */
export const moreServices = navLinks(
  'event-security',
  'construction-security',
  'community-security',
  'retail-security',
  'emergency-response',
);

export const [home, prices, contact] = navLinks('home', 'prices', 'contact') as [NavLink, NavLink, NavLink];

/** Whether the reader has asked for a quote already: the pages of a request and of an offer. */
export const hasAsked = (path: string) => path === '/case' || path === '/offer';

/** What a buyer or an applicant asks about the company. */
export const companyLinks = navLinks('about', 'locations', 'insurance', 'licensing', 'careers');

/** Privacy, terms and licensing. */
export const legal = navLinks('privacy', 'terms', 'licensing');
