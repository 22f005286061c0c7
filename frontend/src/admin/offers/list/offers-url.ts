// The state of the list of offers is in its address:
// `/admin/offers?show=accepted&from=2026-11-01&to=2026-11-30`.

import { filtersIn, isDay, setFilters } from '../../requests/desk-url';

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
  const wanted = query.get('show') ?? '';
  return {
    view: (wanted in views ? wanted : 'waiting') as View,
    filters: filtersIn(query, filterNames, isValid),
  };
}

function isValid(name: keyof Filters, value: string): boolean {
  if (name === 'from' || name === 'to') return isDay(value);
  if (name === 'opened') return value === 'true' || value === 'false';
  return name !== 'value' || value === 'week' || value === 'term';
}

export function formatOffersUrl({ view, filters }: OffersUrl): string {
  return `/admin/offers?${new URLSearchParams({ show: view, ...setFilters(filters, filterNames) })}`;
}

/** The API's query of the list at an address, without paging. */
export function offersQuery({ view, filters }: OffersUrl): Record<string, string> {
  return { ...(view === 'all' ? {} : { view }), ...setFilters(filters, filterNames) };
}
