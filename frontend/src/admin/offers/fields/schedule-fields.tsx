// The schedule of a post: around the clock, every week, single shifts, or patrol visits.
import type { ReactNode } from 'react';
import type { OfficerClass, Schedule } from '../../../api/offers';
import { Button } from '../../../ui/button';
import { kindsFor, newSchedule, newWeeklyShift } from '../draft';
import { Days, Select } from './choice-fields';
import { Message, NumberInput, TextInput, useChange } from './fields';

type Props = { schedule: Schedule; name: string; unit: OfficerClass['unit'] | undefined; start: string };

export function ScheduleFields({ schedule, name, unit, start }: Props) {
  const set = useChange();
  const kinds = kindsFor(unit);
  return (
    <>
      {kinds.length > 1 || kinds[0]?.value !== schedule.kind ? (
        <Select
          name={`${name}.kind`}
          label="Schedule"
          value={schedule.kind}
          options={kinds.map(({ value, label }) => [value, label])}
          choose={(kind) => set(name, newSchedule(kind as Schedule['kind'], start))}
        />
      ) : null}
      <OfKind schedule={schedule} name={name} />
      <Message of={name} />
    </>
  );
}

function OfKind({ schedule, name }: Pick<Props, 'schedule' | 'name'>) {
  const set = useChange();
  switch (schedule.kind) {
    case 'always':
      return <TextInput name={`${name}.from`} label="Day begins at" type="time" value={schedule.from} />;
    case 'visits':
      return (
        <>
          <NumberInput name={`${name}.per_day`} label="Visits a night" value={schedule.per_day} />
          <Days name={`${name}.days`} label="Nights" value={schedule.days} />
        </>
      );
    case 'weekly':
      return (
        <Rows
          name={name}
          shifts={schedule.shifts}
          add={() => set(`${name}.shifts`, [...schedule.shifts, newWeeklyShift()])}
          first={(at, { days }) => <Days name={`${at}.days`} label="Days" value={days} />}
        />
      );
    case 'single':
      return (
        <Rows
          name={name}
          shifts={schedule.shifts}
          add={() => {
            const last = schedule.shifts.at(-1);
            set(`${name}.shifts`, [...schedule.shifts, { date: '', from: '18:00', to: '06:00', ...last }]);
          }}
          first={(at, { date }) => <TextInput name={`${at}.date`} label="Day" type="date" value={date} />}
        />
      );
  }
}

type RowsProps<T> = {
  name: string;
  shifts: T[];
  add(): void;
  /** The field before the times of a shift. */
  first(at: string, shift: T): ReactNode;
};

function Rows<T extends { from: string; to: string }>({ name, shifts, add, first }: RowsProps<T>) {
  const set = useChange();
  return (
    <div className="offer-shifts">
      {shifts.map((shift, nth) => {
        const at = `${name}.shifts.${nth}`;
        return (
          <fieldset key={at} className="offer-row">
            <legend className="visually-hidden">{`Shift ${nth + 1}`}</legend>
            {first(at, shift)}
            <TextInput name={`${at}.from`} label="From" type="time" value={shift.from} />
            <TextInput name={`${at}.to`} label="To" type="time" value={shift.to} hint={nightHint(shift)} />
            {shifts.length > 1 ? (
              <Button
                look="quiet"
                aria-label={`Remove shift ${nth + 1}`}
                onClick={() => set(`${name}.shifts`, shifts.toSpliced(nth, 1))}
              >
                Remove
              </Button>
            ) : null}
          </fieldset>
        );
      })}
      <Button look="line" className="button-small" onClick={add}>
        Add a shift
      </Button>
    </div>
  );
}

const nightHint = ({ from, to }: { from: string; to: string }) =>
  from && to && to <= from ? 'Ends on the next day.' : undefined;
