// The filters besides words and status. Each change is a new address.
import states from '@seeds/site/states.json?pick=slug,name,code';
import type { Person } from '../../api/inbox';
import {
  activeFilters,
  type ChipName,
  type FilterName,
  type Filters,
  formatDeskUrl,
  formFilters,
  navigateDesk,
  type View,
  withFilters,
} from '../requests/desk-url';
import { outcomes, peopleOptions, personName, reasons, services, sourceNames } from '../requests/format';
import { sorts } from '../requests/sort';
import { useDesk } from '../state/use-desk';
import type { Option } from '../ui/choice';
import { Popover } from '../ui/popover';
import { Chips, filterFields } from './fields';

const followUps: Option[] = [
  ['waiting', 'Reminder set'],
  ['due', 'To follow up now'],
];

const answers: Option[] = [
  ['true', 'Answered'],
  ['false', 'Not answered'],
];

const promises: Option[] = [
  ['true', 'Within the promise'],
  ['false', 'Later than promised'],
];

const values: Option[] = [
  ['month', 'Won, a month'],
  ['total', 'Won, one-time'],
];

const endings: Option[] = [
  ...outcomes.map(([value, label]): Option => [value, label]),
  ['unknown', 'Closed, not recorded'],
];

const losses: Option[] = [...reasons.map(([value, label]): Option => [value, label]), ['none', 'No reason']];

const orders = sorts.map(([value, label]): Option => [value, label]);

export function FilterForm() {
  const { url, people } = useDesk();
  const { filters } = url;
  const set = (changes: Filters) => navigateDesk(withFilters(url, changes));
  const count = formFilters.filter((name) => filters[name]).length;
  const { select, day } = filterFields<FilterName>(filters, (name, value) => set({ [name]: value }));
  const check = (name: 'overdue' | 'emergency' | 'unread' | 'duplicate', label: string) => (
    <label className="field-check">
      <input
        type="checkbox"
        checked={filters[name] === 'true'}
        onChange={(event) => set({ [name]: event.currentTarget.checked ? 'true' : '' })}
      />
      {label}
    </label>
  );
  return (
    <Popover className="filter-form" summary={count > 0 ? `Filters (${count})` : 'Filters'}>
      {select('service', 'Service', [['', 'Any service'], ...services.map(pair)])}
      {select('state', 'State', [['', 'Any state'], ...states.map(stateOption)])}
      {select('assignee', 'Assigned to', [['', 'Anybody'], ...assigneeOptions(people)])}
      {select('answered', 'Answer', [['', 'Any'], ...answers])}
      {select('within', 'First answer', [['', 'Any time'], ...promises])}
      {select('answered_by', 'First answered by', [['', 'Anybody'], ...answererOptions(people)])}
      {select('follow_up', 'Reminder', [['', 'Any'], ...followUps])}
      {select('outcome', 'Outcome', [['', 'Any outcome'], ...endings])}
      {select('reason', 'Lost because', [['', 'Any reason'], ...losses])}
      {select('value', 'Value', [['', 'Any'], ...values])}
      {select('source', 'Source', [['', 'Any source'], ...Object.entries(sourceNames)])}
      {day('from', `${dayNoun(filters)} from`)}
      {day('to', `${dayNoun(filters)} to`)}
      {check('overdue', 'Overdue')}
      {check('emergency', 'Asked for a call right away')}
      {check('unread', 'Message waits')}
      {check('duplicate', 'Merged into another request')}
      {select('sort', 'Order', [['', `As usual: ${usualOrder(url.view)}`], ...orders])}
    </Popover>
  );
}

const pair = ({ value, label }: { value: string; label: string }): Option => [value, label];
const stateOption = ({ name, code }: { name: string; code: string }): Option => [code, name];

/** Me, no one, and each admin. */
function assigneeOptions(people: Person[]): Option[] {
  return [['me', 'Me'], ['nobody', 'Nobody'], ...peopleOptions(people)];
}

/** Me, each admin, and those who are not known. */
function answererOptions(people: Person[]): Option[] {
  return [['me', 'Me'], ...peopleOptions(people), ['unknown', 'Unknown']];
}

function usualOrder(view: View): string {
  return view === 'attention' ? 'by urgency' : 'newest first';
}

/** The filters and the order in use; each link removes one, and Esc the last one. */
export function FilterChips() {
  const { url, people } = useDesk();
  const active = activeFilters(url.filters);
  const chips = active.map((name) => ({
    name,
    href: formatDeskUrl(withFilters(url, { [name]: '' })),
    text: chipText(name, url.filters, people),
  }));
  return <Chips chips={chips} />;
}

/** The days of a filter are those of signing where only won requests are listed. */
const dayNoun = ({ outcome, value }: Filters) => (outcome === 'won' || value ? 'Won' : 'Received');

/** The filters whose chip says what was chosen. */
const chosen: Partial<Record<ChipName, readonly Option[]>> = {
  service: services.map(pair),
  state: states.map(stateOption),
  follow_up: followUps,
  outcome: endings,
  answered: answers,
  within: promises,
  value: values,
  sort: orders,
};
/** The filters whose chip names them before the value. */
const named: Partial<Record<ChipName, string>> = {
  q: 'Search',
  campaign: 'Campaign',
  entry_page: 'First page',
};

function chipText(name: ChipName, filters: Filters, people: Person[]): string {
  const value = filters[name] ?? '';
  const of = (options: readonly Option[] = []) => options.find(([known]) => known === value)?.[1] ?? value;
  const person = () =>
    ['me', 'nobody', 'unknown'].includes(value) ? value : personName(people.find(({ id }) => id === value));
  switch (name) {
    case 'assignee':
      return `Assigned to ${person()}`;
    case 'answered_by':
      return `Answered by ${person()}`;
    case 'reason':
      return `Lost: ${of(losses).toLowerCase()}`;
    case 'from':
    case 'to':
      return `${dayNoun(filters)} ${name} ${value}`;
    case 'overdue':
      return value === 'false' ? 'Not overdue' : 'Overdue';
    case 'emergency':
      return value === 'false' ? 'No call asked for' : 'Call right away';
    case 'unread':
      return 'Message waits';
    case 'source':
      return `Source: ${sourceNames[value] ?? value}`;
    case 'duplicate':
      return 'Duplicates';
    default:
      return named[name] ? `${named[name]}: ${value}` : of(chosen[name]);
  }
}
