// Company data for the browser. The values are known only when the server starts (config.toml), so
// the prerenderer writes placeholders and the browser reads the JSON block that the server fills
// in.

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
  | 'year';

type CompanyData = Record<CompanyField, string> & {
  licenses: Record<string, string>;
  photos?: Record<string, string>;
  sso?: boolean;
};

/**
 * The company fields, the license number of a state, the URLs of photos that replace scenes, and
 * whether single sign-on is configured.
 */
type Company = Readonly<Record<CompanyField, string>> & {
  license(state: string): string;
  readonly photos?: Readonly<Record<string, string>>;
  readonly sso?: boolean;
};

/** While prerendering, each field is its own placeholder; the server inserts photos. */
export const company: Company =
  typeof document === 'undefined' ? placeholders() : fromData(readEmbeddedJson());

function placeholders() {
  const facts = new Proxy({} as Record<CompanyField, string>, {
    get: (_, name) => `{{company.${String(name)}}}`,
  });
  return Object.assign(Object.create(facts), {
    license: (state: string) => `{{company.licenses.${state}}}`,
  }) as Company;
}

function fromData(facts: Partial<CompanyData>) {
  return {
    ...facts,
    license: (state: string) => facts.licenses?.[state] ?? '',
  } as Company;
}

function readEmbeddedJson(): Partial<CompanyData> {
  try {
    return JSON.parse(document.querySelector('script#company')?.textContent ?? '{}');
  } catch {
    return {};
  }
}

/** Replaces placeholders such as `{{company.name}}` in a text of the seeds. */
export function fillPlaceholders(text: string, more: Record<string, string> = {}): string {
  return text.replace(/\{\{([a-z_.]+)\}\}/g, (whole, name: string) => {
    const fact = name.startsWith('company.') ? company[name.slice(8) as CompanyField] : more[name];
    return fact ?? whole;
  });
}
