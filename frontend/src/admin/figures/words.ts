// The words of figures: names, how each is counted, and the list behind it.
import { type Filters, formatDeskUrl, type View } from '../requests/desk-url';
import { services } from '../requests/format';
import { sourceNames } from '../requests/source-names';

export type Days = { from: string; to: string };

type Figure = {
  measure: string;
  name: string;
  /** How it is counted, in one sentence. */
  how: string;
  /** The address of the list behind it, with the days of the period. */
  href(days: Days): string;
};

export const requests =
  (filters: Filters, view: View = 'everything') =>
  (days: Days) =>
    formatDeskUrl({ view, filters: { ...days, ...filters }, request: undefined });
const offers = (show: string) => () => `/admin?view=offers&show=${show}`;
const below = (id: string) => () => `#${id}`;

export const groups: { title: string; figures: Figure[] }[] = [
  {
    title: 'Visits',
    figures: [
      {
        measure: 'views',
        name: 'Page views',
        how: 'Pages that the server sent to browsers, without programs, previews and the office. Pages opened by a link within the site are not sent anew.',
        href: below('pages'),
      },
      {
        measure: 'forms_begun',
        name: 'Forms begun',
        how: 'Forms in which somebody has typed, once for each page that was opened.',
        href: below('pages'),
      },
    ],
  },
  {
    title: 'Requests',
    figures: [
      {
        measure: 'asked',
        name: 'Asked',
        how: 'Quote requests and messages received in this period, also by phone; without spam, duplicates and samples.',
        href: requests({}),
      },
      {
        measure: 'emergencies',
        name: 'Emergencies',
        how: 'Of these, the customers who asked for a call right away.',
        href: requests({ emergency: 'true' }),
      },
      {
        measure: 'answered',
        name: 'Answered',
        how: 'Of these, the customers who were reached by now: by a delivered reply, or by a call; an emergency by a call only.',
        href: requests({ answered: 'true' }),
      },
    ],
  },
  {
    title: 'Offers',
    figures: [
      {
        measure: 'offers_sent',
        name: 'Offers sent',
        how: 'Offers whose first version was sent in this period.',
        href: offers('waiting'),
      },
      {
        measure: 'offers_opened',
        name: 'Opened',
        how: 'Of these, the offers that the customer has opened by now.',
        href: offers('waiting'),
      },
      {
        measure: 'offers_accepted',
        name: 'Accepted',
        how: 'Of these, the offers that were accepted by now.',
        href: offers('accepted'),
      },
      {
        measure: 'accepted_weekly_cents',
        name: 'Accepted, a week',
        how: 'The prices of accepted offers that run on, for one week each.',
        href: offers('accepted'),
      },
      {
        measure: 'accepted_once_cents',
        name: 'Accepted, one-time',
        how: 'The prices of accepted offers with an end, for all of their time.',
        href: offers('accepted'),
      },
    ],
  },
  {
    title: 'Won and lost',
    figures: [
      {
        measure: 'won',
        name: 'Won',
        how: 'Requests of this period that are closed as won by now.',
        href: requests({ outcome: 'won' }),
      },
      {
        measure: 'won_monthly_cents',
        name: 'Won, a month',
        how: 'The values of won requests that are entered for a month.',
        href: requests({ value: 'month' }),
      },
      {
        measure: 'won_once_cents',
        name: 'Won, one-time',
        how: 'The values of won requests that are entered in all; never added to those for a month.',
        href: requests({ value: 'total' }),
      },
      {
        measure: 'lost',
        name: 'Lost',
        how: 'Requests of this period that are closed as lost by now.',
        href: requests({ outcome: 'lost' }),
      },
    ],
  },
  {
    title: 'Apart from all others',
    figures: [
      {
        measure: 'spam',
        name: 'Spam',
        how: 'Requests that are held as spam, also those that were deleted since.',
        href: requests({}, 'held'),
      },
      {
        measure: 'duplicates',
        name: 'Duplicates',
        how: 'Requests that were merged into another one.',
        href: requests({}),
      },
      {
        measure: 'robot_views',
        name: 'Views by programs',
        how: 'Pages sent to search engines, monitors and other programs.',
        href: below('pages'),
      },
      {
        measure: 'office_views',
        name: 'Views by the office',
        how: 'Pages opened from an address from which somebody worked at the desk on that day.',
        href: below('pages'),
      },
    ],
  },
];

const sources: Record<string, string> = {
  ...sourceNames,
  own: 'Own pages',
  robot: 'Programs',
  office: 'The office',
};

const reasons: Record<string, string> = {
  price: 'Price',
  competitor: 'Another company',
  timing: 'Timing',
  no_answer: 'No answer',
  cannot_serve: 'We cannot serve it',
  other: 'Another reason',
};

type TableWords = {
  key: string;
  title: string;
  how: string;
  /** The name of a row. */
  nameOf(value: string): string;
  hrefOf?(value: string, days: Days): string;
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
    hrefOf: (value, days) => requests({ service: value })(days),
    columns: ofRequests,
  },
  {
    key: 'sources',
    title: 'By source',
    how: 'Where the first page of the visit was opened from; the browser tells, unless it asks not to be tracked.',
    nameOf: (value) => sources[value] ?? value,
    hrefOf: (value, days) => requests({ source: value })(days),
    columns: ofRequests,
  },
  {
    key: 'campaigns',
    title: 'By campaign',
    how: 'The campaign in the address of the first page (utm_campaign); without those that have none.',
    nameOf: (value) => value,
    hrefOf: (value, days) => requests({ campaign: value })(days),
    columns: ofRequests,
  },
  {
    key: 'entry_pages',
    title: 'By first page',
    how: 'The page on which the visit began.',
    nameOf: (value) => value || 'Unknown',
    hrefOf: (value, days) => requests({ entry_page: value || 'unknown' })(days),
    columns: ofRequests,
  },
  {
    key: 'people',
    title: 'By person',
    how: 'Who reached the customer first, and who sent the first version of an offer.',
    nameOf: (value) => (value ? 'A former colleague' : 'Unknown'),
  },
  {
    key: 'reasons',
    title: 'Lost, by reason',
    how: 'The reason that was entered, or that the customer’s words say.',
    nameOf: (value) => reasons[value] ?? 'No reason',
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
