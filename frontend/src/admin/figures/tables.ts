// The words of the tables of figures, and the lists behind their numbers.
import type { Figures } from '../../api/figures';
import type { Filters } from '../requests/desk-url';
import { reasons, services, sourceNames } from '../requests/format';
import { type Days, offers, requests } from './words';

const sources: Record<string, string> = {
  ...sourceNames,
  own: 'Own pages',
  robot: 'Programs',
  office: 'The office',
};

/** The address of the list behind a number of a row; undefined if there is none. */
export type HrefOf = (value: string, column: string, days: Days) => string | undefined;

/** The lists behind the numbers of a table, also behind those of the period before. */
export function hrefIn(figures: Figures, hrefOf: HrefOf | undefined) {
  const before = { from: figures.before_from, to: figures.before_to };
  return (value: string, column: string) => {
    const now = column.replace(/_before$/, '');
    return hrefOf?.(value, now, column === now ? figures : before);
  };
}

/** What is counted in the columns of tables of requests. */
const counted: Record<string, Filters> = {
  asked: {},
  answered: { answered: 'true' },
  won: { outcome: 'won' },
  lost: { outcome: 'lost' },
  won_monthly_cents: { value: 'month' },
  won_once_cents: { value: 'total' },
};

/** The lists behind the columns of a table of requests, by the filter of a row. */
const requestsOf =
  (filterOf: (value: string) => Filters | undefined): HrefOf =>
  (value, column, days) => {
    const [row, filters] = [filterOf(value), counted[column]];
    return row && filters && requests({ ...row, ...filters })(days);
  };

/** The lists behind the states; messages have none. */
export const ofStates = requestsOf((value) => (value ? { state: value } : undefined));

/** The lists behind days. */
export const ofDays: HrefOf = (day, column) => requestsOf(() => ({}))(day, column, { from: day, to: day });

/** The lists behind the times of answers: the answered ones, and those within the promise. */
export const ofAnswers: HrefOf = (value, column, days) => {
  const filters: Filters = column === 'within' ? { within: 'true' } : { answered: 'true' };
  return requests({ emergency: value === 'emergencies' ? 'true' : 'false', ...filters })(days);
};

type TableWords = {
  key: string;
  title: string;
  how: string;
  /** The name of a row. */
  nameOf(value: string): string;
  hrefOf?: HrefOf;
  /** The columns that are shown; all without it. */
  columns?: string[];
};

/** The columns of tables of requests. */
export const ofRequests = [
  'asked',
  'asked_before',
  'answered',
  'won',
  'lost',
  'won_monthly_cents',
  'won_once_cents',
];

const service = (value: string) => services.find((known) => known.value === value)?.label ?? value;

export const tables: TableWords[] = [
  {
    key: 'services',
    title: 'By service',
    how: 'The service that a request names now.',
    nameOf: service,
    hrefOf: requestsOf((value) => ({ service: value })),
    columns: ofRequests,
  },
  {
    key: 'sources',
    title: 'By source',
    how: 'Where the first page of the visit was opened from; the browser tells, unless it asks not to be tracked.',
    nameOf: (value) => sources[value] ?? value,
    hrefOf: requestsOf((value) => ({ source: value })),
    columns: ofRequests,
  },
  {
    key: 'campaigns',
    title: 'By campaign',
    how: 'The campaign in the address of the first page (utm_campaign); without those that have none.',
    nameOf: (value) => value,
    hrefOf: requestsOf((value) => ({ campaign: value })),
    columns: ofRequests,
  },
  {
    key: 'entry_pages',
    title: 'By first page',
    how: 'The page on which the visit began.',
    nameOf: (value) => value || 'Unknown',
    hrefOf: requestsOf((value) => ({ entry_page: value || 'unknown' })),
    columns: ofRequests,
  },
  {
    key: 'people',
    title: 'By person',
    how: 'Who reached the customer first, and who sent the first version of an offer.',
    nameOf: (value) => (value ? 'A former colleague' : 'Unknown'),
    hrefOf: (value, column, days) => {
      if (column === 'answered') return requests({ answered_by: value || 'unknown' })(days);
      if (!value) return undefined;
      if (column === 'offers_sent') return offers('all', { sent_by: value })(days);
      return column === 'offers_accepted' ? offers('accepted', { sent_by: value })(days) : undefined;
    },
  },
  {
    key: 'reasons',
    title: 'Lost, by reason',
    how: 'The reason that was entered, or that the customer’s words say.',
    nameOf: (value) => reasons.find(([known]) => known === value)?.[1] ?? 'No reason',
    hrefOf: (value, column, days) =>
      column === 'lost' ? requests({ reason: value || 'none' })(days) : undefined,
  },
  {
    key: 'pages',
    title: 'Pages',
    how: 'Views of each page by where they were opened from.',
    nameOf: (value) => value,
    columns: [
      'views',
      'views_before',
      'begun',
      'direct',
      'search',
      'social',
      'website',
      'ad',
      'email',
      'campaign',
      'own',
    ],
  },
];

const heads: Record<string, string> = {
  asked: 'Asked',
  answered: 'Answered',
  won: 'Won',
  lost: 'Lost',
  won_monthly_cents: 'Won, a month',
  won_once_cents: 'Won, one-time',
  offers_sent: 'Offers sent',
  offers_accepted: 'Accepted',
  views: 'Views',
  begun: 'Forms begun',
};

/** The head of a column. */
export function headOf(column: string): string {
  const before = column.replace(/_before$/, '');
  const head = heads[before] ?? sources[before] ?? before;
  return column === before ? head : `${head} before`;
}
