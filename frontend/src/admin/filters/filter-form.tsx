// The filters besides words and status. Each change is a new address.
import states from '@seeds/site/states.json?pick=name,code';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Person } from '../../api/inbox-types';
import {
  type DeskUrl,
  type FilterName,
  type Filters,
  formatDeskUrl,
  navigateDesk,
  type View,
  withFilters,
} from '../requests/desk-url';
import { personLabel, personName, services } from '../requests/format';
import { sorts, sortText } from '../requests/order/sort';
import { outcomes } from '../requests/outcome-text';
import { sourceNames } from '../requests/source-names';
import { Popover } from '../ui/popover';

type Props = { url: DeskUrl; people: Person[] };

/** The filters of this form. */
const names = [
  'service',
  'state',
  'assignee',
  'follow_up',
  'outcome',
  'from',
  'to',
  'overdue',
  'emergency',
  'unread',
  'answered',
  'within',
  'source',
  'campaign',
  'entry_page',
  'value',
] as const;

const followUps: [string, string][] = [
  ['waiting', 'Reminder set'],
  ['due', 'To follow up now'],
];

const answers: [string, string][] = [
  ['true', 'Answered'],
  ['false', 'Not answered'],
];

const promises: [string, string][] = [
  ['true', 'Within the promise'],
  ['false', 'Later than promised'],
];

const values: [string, string][] = [
  ['month', 'Won, a month'],
  ['total', 'Won, one-time'],
];

const endings: [string, string][] = [
  ...outcomes.map(([value, label]): [string, string] => [value, label]),
  ['unknown', 'Closed, not recorded'],
];

const orders = sorts.map(([value, label]): [string, string] => [value, label]);

export function FilterForm({ url, people }: Props) {
  const { filters } = url;
  const set = (changes: Filters) => navigateDesk(withFilters(url, changes));
  const count = names.filter((name) => filters[name]).length;
  const select = (name: FilterName, label: string, options: [value: string, label: string][]) => (
    <FilterField name={name} label={label}>
      <select
        id={`filter-${name}`}
        className="input"
        value={filters[name] ?? ''}
        onChange={(event) => set({ [name]: event.currentTarget.value })}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FilterField>
  );
  const day = (name: 'from' | 'to', label: string) => (
    <FilterField name={name} label={label}>
      <DayInput name={name} day={filters[name] ?? ''} set={(value) => set({ [name]: value })} />
    </FilterField>
  );
  const check = (name: 'overdue' | 'emergency' | 'unread', label: string) => (
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
      {select('follow_up', 'Reminder', [['', 'Any'], ...followUps])}
      {select('outcome', 'Outcome', [['', 'Any outcome'], ...endings])}
      {select('value', 'Value', [['', 'Any'], ...values])}
      {select('source', 'Source', [['', 'Any source'], ...Object.entries(sourceNames)])}
      {day('from', 'Received from')}
      {day('to', 'Received to')}
      {check('overdue', 'Overdue')}
      {check('emergency', 'Asked for a call right away')}
      {check('unread', 'Message waits')}
      {select('sort', 'Order', [['', `As usual: ${usualOrder(url.view)}`], ...orders])}
    </Popover>
  );
}

type DayProps = { name: string; day: string; set(day: string): void };

/** A day, which filters once its year is whole: while that is typed, it begins with zeros. */
function DayInput({ name, day, set }: DayProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.value = day;
  }, [day]);
  return (
    <input
      ref={input}
      id={`filter-${name}`}
      className="input"
      type="date"
      defaultValue={day}
      onChange={({ currentTarget: { value } }) => value.startsWith('0') || set(value)}
    />
  );
}

function FilterField({ name, label, children }: { name: string; label: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={`filter-${name}`}>{label}</label>
      {children}
    </div>
  );
}

const pair = ({ value, label }: { value: string; label: string }): [string, string] => [value, label];
const stateOption = ({ name, code }: { name: string; code: string }): [string, string] => [code, name];

/** Me, nobody, and each admin. */
function assigneeOptions(people: Person[]): [string, string][] {
  return [
    ['me', 'Me'],
    ['nobody', 'Nobody'],
    ...people.map((person) => [person.id, personLabel(person)] as [string, string]),
  ];
}

function usualOrder(view: View): string {
  return view === 'attention' ? 'by urgency' : 'newest first';
}

type ChipName = 'q' | (typeof names)[number] | 'sort';

/** The filters and the order in use; each link removes one, and Esc the last one. */
export function FilterChips({ url, people }: Props) {
  const active = activeFilters(url.filters);
  if (active.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters in use">
      {active.map((name) => (
        <li key={name}>
          <a href={formatDeskUrl(withFilters(url, { [name]: '' }))}>
            {chipText(name, url.filters[name] ?? '', people)}
            <span className="visually-hidden"> (remove)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The filters in use that have chips, in their order. */
export function activeFilters(filters: Filters): ChipName[] {
  return (['q', ...names, 'sort'] as const).filter((name) => filters[name]);
}

function chipText(name: ChipName, value: string, people: Person[]): string {
  switch (name) {
    case 'q':
      return `Search: ${value}`;
    case 'service':
      return services.find((option) => option.value === value)?.label ?? value;
    case 'state':
      return states.find(({ code }) => code === value)?.name ?? value;
    case 'assignee':
      if (value === 'me' || value === 'nobody') return `Assigned to ${value}`;
      return `Assigned to ${personName(people.find(({ id }) => id === value))}`;
    case 'follow_up':
      return followUps.find(([known]) => known === value)?.[1] ?? value;
    case 'outcome':
      return endings.find(([known]) => known === value)?.[1] ?? value;
    case 'from':
      return `From ${value}`;
    case 'to':
      return `To ${value}`;
    case 'overdue':
      return 'Overdue';
    case 'emergency':
      return value === 'false' ? 'No call asked for' : 'Call right away';
    case 'unread':
      return 'Message waits';
    case 'answered':
      return answers.find(([known]) => known === value)?.[1] ?? value;
    case 'within':
      return promises.find(([known]) => known === value)?.[1] ?? value;
    case 'source':
      return `Source: ${sourceNames[value] ?? value}`;
    case 'campaign':
      return `Campaign: ${value}`;
    case 'entry_page':
      return `First page: ${value}`;
    case 'value':
      return values.find(([known]) => known === value)?.[1] ?? value;
    case 'sort':
      return sortText(value);
  }
}
