// Company data for the browser. The values are known only when the server starts (config.toml), so
// the prerenderer writes placeholders and the browser reads the JSON block that the server fills
// in.

import type promises from '@seeds/site/promises.json';

type CompanyField =
  | 'name'
  | 'legal_name'
  | 'phone'
  | 'phone_href'
  | 'email'
  | 'media_email'
  | 'street'
  | 'city'
  | 'region'
  | 'postal_code'
  | 'address'
  | 'hours'
  | 'base_url'
  | 'call_soon'
  | `promise_${keyof typeof promises}`
  | 'year';

/** Facts by state code. */
type ByState = Readonly<Record<string, string>>;

/**
 * The company fields, the URLs of photos that replace scenes, whether single sign-on is configured,
 * and facts that content/conditions.ts reads.
 */
type Company = Readonly<Record<CompanyField, string>> & {
  readonly photos?: Readonly<Record<string, string>>;
  readonly sso?: boolean;
  readonly samples?: boolean;
  /** Whether the office has changed the content: only the server has the current pages then. */
  readonly edited?: boolean;
  /** Whether any license is valid. */
  readonly licensed?: boolean;
  readonly licenses?: ByState;
  readonly license_holders?: ByState;
  readonly license_expires?: ByState;
  readonly expired?: ByState;
};

/**
 * Whether the site is being prerendered: facts are placeholders, and every variant is rendered. The
 * browser's build leaves out what is only for that.
 */
export const prerendering = import.meta.env.SSR && typeof document === 'undefined';

/** While prerendering, each field is its own placeholder; the server inserts photos. */
export const company = prerendering ? placeholders() : readEmbeddedJson();

function placeholders(): Company {
  const facts = new Proxy({} as Company, { get: (_, name) => `{{company.${String(name)}}}` });
  return Object.assign(Object.create(facts), { photos: undefined });
}

function readEmbeddedJson(): Company {
  try {
    return JSON.parse(document.querySelector('script#company')?.textContent ?? '{}');
  } catch {
    return {} as Company;
  }
}

/** Replaces placeholders such as `{{company.name}}` in a text of the seeds. */
export function fillPlaceholders(text: string, more: Record<string, string> = {}): string {
  return text.replace(/\{\{([a-z_.]+)\}\}/g, (whole, name: string) => {
    const fact = name.startsWith('company.') ? company[name.slice(8) as CompanyField] : more[name];
    return fact ?? whole;
  });
}
