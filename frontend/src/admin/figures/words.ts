// The words of the figures of a period: names, how each is counted, and the list behind it.
import {
  formatOffersUrl,
  type Filters as OfferFilters,
  type View as OfferView,
} from '../offers/list/offers-url';
import { type Filters, formatDeskUrl, type View } from '../requests/desk-url';

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
    formatDeskUrl({ view, filters: { ...filters, from: days.from, to: days.to }, request: undefined });
export const offers =
  (view: OfferView, filters: OfferFilters = {}) =>
  ({ from, to }: Days) =>
    formatOffersUrl({ view, filters: { from, to, ...filters } });
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
        href: offers('all'),
      },
      {
        measure: 'offers_opened',
        name: 'Opened',
        how: 'Of these, the offers that the customer has opened by now.',
        href: offers('all', { opened: 'true' }),
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
        href: offers('accepted', { value: 'week' }),
      },
      {
        measure: 'accepted_once_cents',
        name: 'Accepted, one-time',
        how: 'The prices of accepted offers with an end, for all of their time.',
        href: offers('accepted', { value: 'term' }),
      },
    ],
  },
  {
    title: 'Won and lost',
    figures: [
      {
        measure: 'won',
        name: 'Won',
        how: 'Requests that were signed in this period: the customer has accepted an offer, or the office has entered that they are won.',
        href: requests({ outcome: 'won' }),
      },
      {
        measure: 'won_monthly_cents',
        name: 'Won, a month',
        how: 'The values of won requests for a month.',
        href: requests({ value: 'month' }),
      },
      {
        measure: 'won_once_cents',
        name: 'Won, one-time',
        how: 'The values of won requests in all; never added to those for a month.',
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
        href: requests({ duplicate: 'true' }),
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
