// Choices: the options of a menu, a label with its menu, and yes or no.

/** What can be chosen: the value, and the words for it. */
export type Option = readonly [value: string, label: string];

/** The options of a `<select>`; one with a `defaultValue` needs its `<option>`s themselves. */
export function Options({ of }: { of: readonly Option[] }) {
  return of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

type Props = {
  label: string;
  className?: string;
  value: string;
  options: readonly Option[];
  set(value: string): void;
};

export function Choice({ label, className, value, options, set }: Props) {
  return (
    <label className={className}>
      {label}
      <select className="input" value={value} onChange={(event) => set(event.currentTarget.value)}>
        <Options of={options} />
      </select>
    </label>
  );
}

type CheckProps = {
  id?: string;
  label: string;
  checked: boolean;
  disabled?: boolean;
  set(on: boolean): void;
};

export function Check({ label, set, ...box }: CheckProps) {
  return (
    <label className="site-flag">
      <input type="checkbox" {...box} onChange={(event) => set(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
