// The state of the list of offers is in its address:
// `/admin/offers?show=accepted&from=2026-11-01&to=2026-11-30`.

export const views = {
  waiting: 'Waiting',
  expiring: 'Expiring',
  accepted: 'Accepted',
  unconfirmed: 'To be confirmed',
  declined: 'Declined',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  draft: 'Drafts',
  all: 'All',
} as const;

export type View = keyof typeof views;

/** The filters, in the order of the address; each is also a parameter of the API. */
export const filterNames = ['q', 'from', 'to', 'sent_by', 'opened', 'value'] as const;

export type Filters = Partial<Record<(typeof filterNames)[number], string>>;

export type OffersUrl = { view: View; filters: Filters };

export function parseOffersUrl(search: string): OffersUrl {
  const query = new URLSearchParams(search);
  const filters: Filters = {};
  for (const name of filterNames) {
    const value = query.get(name);
    if (value && isValid(name, value)) filters[name] = value;
  }
  const wanted = query.get('show') ?? '';
  return { view: (wanted in views ? wanted : 'waiting') as View, filters };
}

function isValid(name: keyof Filters, value: string): boolean {
  if (name === 'from' || name === 'to') return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value);
  if (name === 'opened') return value === 'true' || value === 'false';
  return name !== 'value' || value === 'week' || value === 'term';
}

export function formatOffersUrl({ view, filters }: OffersUrl): string {
  return `/admin/offers?${new URLSearchParams({ show: view, ...set(filters) })}`;
}

/** The API's query of the list at an address, without paging. */
export function offersQuery({ view, filters }: OffersUrl): Record<string, string> {
  return { ...(view === 'all' ? {} : { view }), ...set(filters) };
}

/** The filters that have a value, in their order. */
function set(filters: Filters): Record<string, string> {
  return Object.fromEntries(filterNames.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
}
