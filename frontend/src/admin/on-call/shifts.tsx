// The shifts that come back: a row each. Where two cover a time, the upper one is on call and the
// other is next.
import { useState } from 'react';
import { type OnCallState, type RotaShift, replaceRota } from '../../api/on-call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../ui/auth-card';
import type { Change } from './on-call';
import { nameOf, weekdays } from './people';

export function Shifts({ state, change }: { state: OnCallState; change: Change }) {
  const { rota, people } = state;
  const [weeks, setWeeks] = useState(rota.weeks);
  const [firstDay, setFirstDay] = useState(rota.first_day);
  const [shifts, setShifts] = useState<RotaShift[]>(rota.shifts);
  const [alert, setAlert] = useState('');
  const first = people[0]?.id ?? '';

  const set = (index: number, part: Partial<RotaShift>) =>
    setShifts(shifts.map((shift, at) => (at === index ? { ...shift, ...part } : shift)));

  const addDay = () =>
    setShifts([...shifts, { person: first, week: 0, weekday: 0, from: '00:00', until: '24:00' }]);
  const addWeek = () =>
    setShifts([
      ...shifts,
      ...weekdays.map((_, weekday) => ({ person: first, week: 0, weekday, from: '00:00', until: '24:00' })),
    ]);

  async function save() {
    const failed = await change((token) =>
      replaceRota(token, { weeks, first_day: firstDay, shifts, version: rota.version }),
    );
    setAlert(failed);
    if (!failed) toast({ title: 'Schedule saved' });
  }

  return (
    <section aria-labelledby="shifts-title">
      <h2 id="shifts-title">Shifts</h2>
      <FormAlert text={alert} />
      <div className="shift">
        <label>
          Weeks in the cycle
          <input
            className="input"
            type="number"
            min={1}
            max={12}
            value={weeks}
            onChange={(event) => setWeeks(Number(event.currentTarget.value))}
          />
        </label>
        {weeks > 1 ? (
          <label>
            A day in week 1
            <input
              className="input"
              type="date"
              value={firstDay}
              onChange={(event) => setFirstDay(event.currentTarget.value)}
            />
          </label>
        ) : null}
      </div>
      {shifts.map((shift, index) => (
        <fieldset key={index} className="shift">
          <legend className="visually-hidden">{`Shift ${index + 1}`}</legend>
          <label>
            Person
            <select
              className="input"
              value={shift.person}
              onChange={(event) => set(index, { person: event.currentTarget.value })}
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
                onChange={(event) => set(index, { week: Number(event.currentTarget.value) })}
              >
                <option value={0}>Each</option>
                {Array.from({ length: weeks }, (_, week) => (
                  <option key={weekdays[week] ?? week} value={week + 1}>
                    {week + 1}
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
              onChange={(event) => set(index, { weekday: Number(event.currentTarget.value) })}
            >
              {weekdays.map((day, at) => (
                <option key={day} value={at}>
                  {day}
                </option>
              ))}
            </select>
          </label>
          <Hour label="From" value={shift.from} set={(from) => set(index, { from })} />
          <Hour label="Until" value={shift.until} set={(until) => set(index, { until })} />
          <Button
            look="line"
            aria-label={`Remove shift ${index + 1}`}
            onClick={() => setShifts(shifts.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <div className="actions person-actions">
        <Button look="line" onClick={addDay}>
          Add a shift
        </Button>
        <Button look="line" onClick={addWeek}>
          Add a whole week
        </Button>
        <Button look="ink" onClick={save}>
          Save schedule
        </Button>
      </div>
    </section>
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
        pattern="[0-2][0-9]:[0-5][0-9]"
        size={6}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
    </label>
  );
}
