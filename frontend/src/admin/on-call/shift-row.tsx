// One shift that comes back: who, in which week, on which day, from when until when.
import type { OnCallPerson, RotaShift } from '../../api/on-call';
import { Button } from '../../ui/button';
import { nameOf, weekdays } from './people';

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
      <label>
        Person
        <select
          className="input"
          value={shift.person}
          onChange={(event) => set({ person: event.currentTarget.value })}
        >
          {people.map((person) => (
            <option key={person.id} value={person.id}>
              {nameOf(people, person.id)}
            </option>
          ))}
        </select>
      </label>
      {weeks > 1 ? (
        <label>
          Week
          <select
            className="input"
            value={shift.week}
            onChange={(event) => set({ week: Number(event.currentTarget.value) })}
          >
            <option value={0}>Each</option>
            {Array.from({ length: weeks }, (_, week) => week + 1).map((week) => (
              <option key={week} value={week}>
                {week}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <label>
        Day
        <select
          className="input"
          value={shift.weekday}
          onChange={(event) => set({ weekday: Number(event.currentTarget.value) })}
        >
          {weekdays.map((day, at) => (
            <option key={day} value={at}>
              {day}
            </option>
          ))}
        </select>
      </label>
      <Hour label="From" value={shift.from} set={(from) => set({ from })} />
      <Hour label="Until" value={shift.until} set={(until) => set({ until })} />
      <Button look="line" aria-label={`Remove shift ${number}`} onClick={remove}>
        Remove
      </Button>
    </fieldset>
  );
}

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
