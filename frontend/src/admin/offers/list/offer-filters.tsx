// The filters of the list of offers besides state and words. Each change is a new address.
import { navigate } from 'wouter/use-browser-location';
import type { Person } from '../../../api/inbox';
import { Chips, filterFields } from '../../filters/fields';
import { peopleOptions, personName } from '../../requests/format';
import type { Option } from '../../ui/choice';
import { Popover } from '../../ui/popover';
import { type Filters, filterNames, formatOffersUrl, type OffersUrl } from './offers-url';

type Props = { url: OffersUrl; people: Person[] };

const openings: Option[] = [
  ['true', 'Opened'],
  ['false', 'Not opened'],
];

const values: Option[] = [
  ['week', 'For a week'],
  ['term', 'One-time'],
];

const addressWith = (url: OffersUrl, changes: Filters) =>
  formatOffersUrl({ ...url, filters: { ...url.filters, ...changes } });

export function OfferFilters({ url, people }: Props) {
  const { filters } = url;
  const set = (changes: Filters) => navigate(addressWith(url, changes));
  const count = chipNames(filters).length;
  const { select, day } = filterFields<keyof Filters>(filters, (name, value) => set({ [name]: value }));
  return (
    <Popover className="filter-form" summary={count > 0 ? `Filters (${count})` : 'Filters'}>
      {day('from', 'First sent from')}
      {day('to', 'First sent to')}
      {select('sent_by', 'First sent by', [['', 'Anybody'], ['me', 'Me'], ...peopleOptions(people)])}
      {select('opened', 'By the customer', [['', 'Opened or not'], ...openings])}
      {select('value', 'Value', [['', 'Any'], ...values])}
    </Popover>
  );
}

/** The filters in use; each link removes one. */
export function OfferChips({ url, people }: Props) {
  const chips = chipNames(url.filters).map((name) => ({
    name,
    href: addressWith(url, { [name]: '' }),
    text: chipText(name, url.filters[name] ?? '', people),
  }));
  return <Chips chips={chips} />;
}

/** The words stay in their field. */
const chipNames = (filters: Filters) => filterNames.filter((name) => name !== 'q' && filters[name]);

function chipText(name: keyof Filters, value: string, people: Person[]): string {
  if (name === 'from' || name === 'to') return `Sent ${name} ${value}`;
  if (name === 'sent_by')
    return `Sent by ${value === 'me' ? 'me' : personName(people.find(({ id }) => id === value))}`;
  return [...openings, ...values].find(([known]) => known === value)?.[1] ?? value;
}
