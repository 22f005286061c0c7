// The dashboard's state is in the URL, so that a reload, a bookmark and an email link show the same
// view:
// `/admin?view=messages&status=pending&q=houston&request=<id or reference>`.
import { navigate } from 'wouter/use-browser-location';
import type { InboxQuery, RequestItem } from '../../api/inbox';
import { type Status, statuses } from '../../api/quotes';
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

/** Emails link with `quote`. */
export function parseDeskUrl(search: string): DeskUrl {
  const query = new URLSearchParams(search);
  const filters: Filters = {};
  for (const name of filterNames) {
    const value = query.get(name);
    if (value && isValid(name, value)) filters[name] = value;
  }
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
  if (name === 'from' || name === 'to') return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value);
  if (['answered', 'within', 'emergency', 'overdue'].includes(name))
    return value === 'true' || value === 'false';
  if (name === 'sort') return isSort(value);
  if (name === 'follow_up') return value === 'waiting' || value === 'due';
  return ['unread', 'duplicate'].includes(name) ? value === 'true' : true;
}

export function formatDeskUrl({ view, filters, request }: DeskUrl): string {
  const query = new URLSearchParams(view === 'quotes' ? {} : { view });
  for (const name of filterNames) {
    const value = filters[name];
    if (value) query.set(name, value);
  }
  if (request) query.set('request', request);
  const text = query.toString();
  return text ? `/admin?${text}` : '/admin';
}

/** The same URL with some filters changed and no request open; an empty value removes a filter. */
export function withFilters(url: DeskUrl, changes: Filters): DeskUrl {
  return { ...url, filters: { ...url.filters, ...changes }, request: undefined };
}

/** The API's query of the list at a URL, without paging. */
export function filterQuery({ view, filters }: Pick<DeskUrl, 'view' | 'filters'>): InboxQuery {
  const set = filterNames.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  return { ...viewQueries[view], ...Object.fromEntries(set) };
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
