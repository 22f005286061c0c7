// The dashboard's state is in the URL, so that a reload, a bookmark and an email link show the same
// view:
// `/admin?view=messages&status=pending&q=houston&request=<id or reference>`.
import { navigate } from 'wouter/use-browser-location';
import { type InboxQuery, type RequestItem, type Status, statuses } from '../../api/inbox';
import { isSort } from './sort';

/** The views beside "All quotes", which is `/admin` itself. */
export const views = ['quotes', 'attention', 'mine', 'messages', 'everything', 'held'] as const;

export type View = (typeof views)[number];

/** The filters and the order, in the order of the URL; each is also a parameter of the API. */
const filterNames = [
  'status',
  'q',
  'service',
  'state',
  'assignee',
  'from',
  'to',
  'overdue',
  'emergency',
  'unread',
  'answered',
  'within',
  'answered_by',
  'source',
  'campaign',
  'entry_page',
  'value',
  'follow_up',
  'outcome',
  'reason',
  'duplicate',
  'sort',
] as const;

export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Record<FilterName, string>>;

export type DeskUrl = {
  view: View;
  filters: Filters;
  /** Id or reference of the open request. */
  request: string | undefined;
};

const viewQueries: Record<View, InboxQuery> = {
  quotes: { kind: 'quote' },
  attention: { attention: 'true' },
  mine: { assignee: 'me', open: 'true' },
  messages: { kind: 'message' },
  everything: {},
  held: { held: 'true' },
};

/** Rows per page of the list. */
export const pageSize = '50';

/** The filters of an address, without those that are not valid. */
export function filtersIn<N extends string>(
  query: URLSearchParams,
  names: readonly N[],
  isValid: (name: N, value: string) => boolean,
): Partial<Record<N, string>> {
  const found = names.flatMap((name) => {
    const value = query.get(name);
    return value && isValid(name, value) ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

/** The filters that have a value, in the order of their names. */
export function setFilters<N extends string>(filters: Partial<Record<N, string>>, names: readonly N[]) {
  const set = names.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  return Object.fromEntries(set) as Record<string, string>;
}

/** Whether a text is a day, `YYYY-MM-DD`. */
export const isDay = (text: string | null): text is string => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text ?? '');

/** Emails link with `quote`. */
export function parseDeskUrl(search: string): DeskUrl {
  const query = new URLSearchParams(search);
  const filters = filtersIn(query, filterNames, isValid);
  const view = views.find((view) => view === query.get('view')) ?? 'quotes';
  if (filters.sort === '-received' && view !== 'attention') delete filters.sort;
  return {
    view,
    filters,
    request: query.get('request') ?? query.get('quote') ?? undefined,
  };
}

function isValid(name: FilterName, value: string): boolean {
  if (name === 'status') return statuses.includes(value as Status);
  if (name === 'from' || name === 'to') return isDay(value);
  if (['answered', 'within', 'emergency', 'overdue'].includes(name))
    return value === 'true' || value === 'false';
  if (name === 'sort') return isSort(value);
  if (name === 'follow_up') return value === 'waiting' || value === 'due';
  return ['unread', 'duplicate'].includes(name) ? value === 'true' : true;
}

export function formatDeskUrl({ view, filters, request }: DeskUrl): string {
  const text = new URLSearchParams({
    ...(view === 'quotes' ? {} : { view }),
    ...setFilters(filters, filterNames),
    ...(request ? { request } : {}),
  }).toString();
  return text ? `/admin?${text}` : '/admin';
}

/** The same URL with some filters changed and no request open; an empty value removes a filter. */
export function withFilters(url: DeskUrl, changes: Filters): DeskUrl {
  return { ...url, filters: { ...url.filters, ...changes }, request: undefined };
}

/** The API's query of the list at a URL, without paging. */
export function filterQuery({ view, filters }: Pick<DeskUrl, 'view' | 'filters'>): InboxQuery {
  return { ...viewQueries[view], ...setFilters(filters, filterNames) };
}

/** The same list in the order that its view has. */
export function unsorted<T extends Pick<DeskUrl, 'filters'>>(url: T): T {
  const { sort: _, ...filters } = url.filters;
  return { ...url, filters };
}

/** The query of the first page of the list at a URL. */
export function listQuery(url: Pick<DeskUrl, 'view' | 'filters'>): InboxQuery {
  return { ...filterQuery(url), limit: pageSize };
}

/** Navigates to a dashboard URL; `replace` adds no history entry. */
export function navigateDesk(url: DeskUrl, replace = false) {
  navigate(formatDeskUrl(url), { replace });
}

/**
 * Navigates from a request to another one, or to none, while it is still the open one: another may
 * have been opened, and filters chosen, while the server answered.
 */
export function leaveRequest({ id, reference }: Pick<RequestItem, 'id' | 'reference'>, to?: string) {
  const here = parseDeskUrl(location.search);
  const open = here.request?.toUpperCase();
  if (open === id.toUpperCase() || open === reference) navigateDesk({ ...here, request: to }, true);
}

/** The filters of the form, in the order of their chips. */
export const formFilters = [
  'service',
  'state',
  'assignee',
  'follow_up',
  'outcome',
  'reason',
  'from',
  'to',
  'overdue',
  'emergency',
  'unread',
  'answered',
  'within',
  'answered_by',
  'source',
  'campaign',
  'entry_page',
  'value',
  'duplicate',
] as const;

export type ChipName = 'q' | (typeof formFilters)[number] | 'sort';

/** The filters in use that have chips, in their order. */
export function activeFilters(filters: Filters): ChipName[] {
  return (['q', ...formFilters, 'sort'] as const).filter((name) => filters[name]);
}
