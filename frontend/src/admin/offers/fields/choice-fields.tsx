// The fields of the offer editor in which one chooses: a list, the days of the week, yes or no.
import type { Weekday } from '../../../api/offers';
import { type Option, Options } from '../../ui/choice';
import { capital, weekdays } from '../words';
import { type FieldProps, Labelled, useChange } from './fields';

export function Select({
  value,
  options,
  empty,
  choose,
  ...field
}: FieldProps & {
  value: string;
  options: readonly Option[];
  /** The words of no choice, if there may be none. */
  empty?: string;
  choose?(value: string): void;
}) {
  const set = useChange();
  return (
    <Labelled {...field}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => {
            if (choose) choose(event.currentTarget.value);
            else set(field.name, event.currentTarget.value);
          }}
        >
          {empty !== undefined || !options.some(([known]) => known === value) ? (
            <option value="">{empty ?? 'Choose'}</option>
          ) : null}
          <Options of={options} />
        </select>
      )}
    </Labelled>
  );
}

/** The days of the week, each on or off. */
export function Days({ name, label, value }: { name: string; label: string; value: Weekday[] }) {
  const set = useChange();
  return (
    <fieldset className="offer-days">
      <legend>{label}</legend>
      {weekdays.map((day) => (
        <label key={day}>
          <input
            type="checkbox"
            name={name}
            checked={value.includes(day)}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              set(
                name,
                weekdays.filter((one) => (one === day ? checked : value.includes(one))),
              );
            }}
          />
          <span aria-hidden="true">{capital(day.slice(0, 2))}</span>
          <span className="visually-hidden">{capital(day)}</span>
        </label>
      ))}
    </fieldset>
  );
}
