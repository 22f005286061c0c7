// One rotation in one line: people in order, when they hand over, and for which hours.

import type { OnCallPerson, RotaShift } from '../../api/on-call';
import { Button } from '../../ui/button';
import { moved } from '../site/shape';
import { Choice, type Option } from '../ui/choice';
import { nameOf, peopleOptions, weekdayOptions } from './people';
import type { Hours, Rotation } from './rotation';

type Props = {
  /** Its place among the rotations, from 1. */
  number: number;
  rotation: Rotation;
  people: OnCallPerson[];
  set(part: Partial<Rotation>): void;
  remove(): void;
};

const hoursText: Record<Hours, string> = {
  always: 'Around the clock',
  nights: 'Nights',
  weekends: 'Saturday and Sunday',
};

const lengths: Option[] = [
  ['week', 'Each week'],
  ['day', 'Each day'],
];

export function RotationRow({ number, rotation, people, set, remove }: Props) {
  const { length, weekday, at, until, hours } = rotation;
  return (
    <fieldset className="rotation">
      <legend>{`Rotation ${number}: ${hoursText[hours].toLowerCase()}`}</legend>
      <People rotation={rotation} people={people} set={set} />
      <div className="shift">
        <Choice
          label="Hand over"
          value={length}
          options={lengths}
          set={(length) => set({ length: length as Rotation['length'] })}
        />
        {length === 'week' ? (
          <Choice
            label="On"
            value={String(weekday)}
            options={weekdayOptions}
            set={(nth) => set({ weekday: Number(nth) })}
          />
        ) : null}
        {hours === 'weekends' ? null : (
          <Time label={hours === 'nights' ? 'From' : 'At'} value={at} set={(at) => set({ at })} />
        )}
        {hours === 'nights' ? <Time label="Until" value={until} set={(until) => set({ until })} /> : null}
        <Button look="line" aria-label={`Remove rotation ${number}`} onClick={remove}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}

/** The people in order; one more is added by choosing. */
function People({ rotation, people, set }: Pick<Props, 'rotation' | 'people' | 'set'>) {
  const chosen = rotation.people;
  return (
    <div className="rotation-people">
      <ol>
        {chosen.map((id, nth) => (
          <li key={nth}>
            {nameOf(people, id)}
            {nth > 0 ? (
              <Button
                look="quiet"
                aria-label={`Move ${nameOf(people, id)} up`}
                onClick={() => set({ people: moved(chosen, nth, nth - 1) })}
              >
                Up
              </Button>
            ) : null}
            <Button
              look="quiet"
              aria-label={`Take out ${nameOf(people, id)}`}
              onClick={() => set({ people: chosen.filter((_, other) => other !== nth) })}
            >
              Take out
            </Button>
          </li>
        ))}
      </ol>
      <Choice
        label={chosen.length ? 'Then' : 'First'}
        value=""
        options={[['', 'Choose a person'], ...peopleOptions(people)]}
        set={(id) => set({ people: [...chosen, id] })}
      />
    </div>
  );
}

type TimeProps = { label: string; value: string; typed?: boolean; set(value: string): void };

/** A time of the day; one that is typed may be 24:00, the end of the day. */
function Time({ label, value, typed = false, set }: TimeProps) {
  const kind = typed ? ({ inputMode: 'numeric', size: 6 } as const) : ({ type: 'time' } as const);
  return (
    <label>
      {label}
      <input {...kind} className="input" value={value} onChange={(event) => set(event.currentTarget.value)} />
    </label>
  );
}

type ShiftRowProps = {
  /** Its place in the list, from 1. */
  number: number;
  shift: RotaShift;
  weeks: number;
  people: OnCallPerson[];
  set(part: Partial<RotaShift>): void;
  remove(): void;
};

/** One shift that comes back: who, in which week, on which day, from when until when. */
export function ShiftRow({ number, shift, weeks, people, set, remove }: ShiftRowProps) {
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
      <Time typed label="From" value={shift.from} set={(from) => set({ from })} />
      <Time typed label="Until" value={shift.until} set={(until) => set({ until })} />
      <Button look="line" aria-label={`Remove shift ${number}`} onClick={remove}>
        Remove
      </Button>
    </fieldset>
  );
}

/** Each week of the cycle, or one of them. */
const weekOptions = (weeks: number): Option[] =>
  ['Each', ...Array.from({ length: weeks }, (_, week) => `${week + 1}`)].map((name, nth) => [`${nth}`, name]);
