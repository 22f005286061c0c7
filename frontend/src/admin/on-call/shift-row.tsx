// One shift that comes back: who, in which week, on which day, from when until when.
import type { OnCallPerson, RotaShift } from '../../api/on-call';
import { Button } from '../../ui/button';
import { Choice, type Option } from '../ui/choice';
import { peopleOptions, weekdayOptions } from './people';

type Props = {
  /** Its place in the list, from 1. */
  number: number;
  shift: RotaShift;
  weeks: number;
  people: OnCallPerson[];
  set(part: Partial<RotaShift>): void;
  remove(): void;
};

export function ShiftRow({ number, shift, weeks, people, set, remove }: Props) {
  return (
    <fieldset className="shift">
      <legend className="visually-hidden">{`Shift ${number}`}</legend>
      <Choice
        label="Person"
        value={shift.person}
        options={peopleOptions(people)}
        set={(person) => set({ person })}
      />
      {weeks > 1 ? (
        <Choice
          label="Week"
          value={String(shift.week)}
          options={weekOptions(weeks)}
          set={(week) => set({ week: Number(week) })}
        />
      ) : null}
      <Choice
        label="Day"
        value={String(shift.weekday)}
        options={weekdayOptions}
        set={(weekday) => set({ weekday: Number(weekday) })}
      />
      <Hour label="From" value={shift.from} set={(from) => set({ from })} />
      <Hour label="Until" value={shift.until} set={(until) => set({ until })} />
      <Button look="line" aria-label={`Remove shift ${number}`} onClick={remove}>
        Remove
      </Button>
    </fieldset>
  );
}

/** Each week of the cycle, or one of them. */
const weekOptions = (weeks: number): Option[] =>
  ['Each', ...Array.from({ length: weeks }, (_, week) => `${week + 1}`)].map((name, nth) => [`${nth}`, name]);

/** A time of the day; 24:00 is its end. */
function Hour({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  return (
    <label>
      {label}
      <input
        className="input"
        inputMode="numeric"
        size={6}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
    </label>
  );
}
