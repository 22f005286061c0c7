// Fields of a box of filters.
import { type ReactNode, useEffect, useRef } from 'react';
import { type Option, Options } from '../ui/choice';

type SelectProps = {
  name: string;
  label: string;
  value: string | undefined;
  options: Option[];
  set(value: string): void;
};

function SelectField({ name, label, value, options, set }: SelectProps) {
  return (
    <FilterField name={name} label={label}>
      <select
        id={`filter-${name}`}
        className="input"
        value={value ?? ''}
        onChange={(event) => set(event.currentTarget.value)}
      >
        <Options of={options} />
      </select>
    </FilterField>
  );
}

type DayProps = { name: string; label: string; day: string; set(day: string): void };

/** A day, which filters once its year is whole: while that is typed, it begins with zeros. */
function DayField({ name, label, day, set }: DayProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.value = day;
  }, [day]);
  return (
    <FilterField name={name} label={label}>
      <input
        ref={input}
        id={`filter-${name}`}
        className="input"
        type="date"
        defaultValue={day}
        onChange={({ currentTarget: { value } }) => value.startsWith('0') || set(value)}
      />
    </FilterField>
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

/** The fields of filters by their values; `set` changes one. */
export function filterFields<N extends string>(
  filters: Partial<Record<N, string>>,
  set: (name: N, value: string) => void,
) {
  return {
    select: (name: N, label: string, options: Option[]) => (
      <SelectField {...{ name, label, options }} value={filters[name]} set={(value) => set(name, value)} />
    ),
    day: (name: N, label: string) => (
      <DayField {...{ name, label }} day={filters[name] ?? ''} set={(value) => set(name, value)} />
    ),
  };
}

type Chip = { name: string; href: string; text: string };

/** The filters in use; each link removes one. */
export function Chips({ chips }: { chips: Chip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters in use">
      {chips.map(({ name, href, text }) => (
        <li key={name}>
          <a href={href}>
            {text}
            <span className="visually-hidden"> (remove)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
