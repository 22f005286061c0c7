// The company's facts as the browser shows them. They are known only when the server starts (config.toml), so the
// prerenderer writes placeholders and the browser reads the JSON block that the server has filled.

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

/** Every fact by its name, the license of a state, the photos an operator put in place of scenes, and whether some people
 * sign in at their own company. */
type Company = Readonly<Record<CompanyField, string>> & {
  license(state: string): string;
  readonly photos?: Readonly<Record<string, string>>;
  readonly sso?: boolean;
};

/** When prerendering, each fact is its own placeholder; photos are put in by the server. */
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

/** Puts the facts into a text of the seeds that names them, such as a page's title. */
export function fillPlaceholders(text: string, more: Record<string, string> = {}): string {
  return text.replace(/\{\{([a-z_.]+)\}\}/g, (whole, name: string) => {
    const fact = name.startsWith('company.') ? company[name.slice(8) as CompanyField] : more[name];
    return fact ?? whole;
  });
}
