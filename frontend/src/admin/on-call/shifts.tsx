// The shifts that come back: a row each. Where two cover a time, the upper one is on call and the
// other is next.
import { useEffect, useRef, useState } from 'react';
import { type OnCallState, type RotaShift, replaceRota } from '../../api/on-call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../ui/auth-card';
import type { Change } from './change';
import { weekdays } from './people';
import { ShiftRow } from './shift-row';

export function Shifts({ state, change }: { state: OnCallState; change: Change }) {
  const { rota, people } = state;
  const [weeks, setWeeks] = useState(rota.weeks);
  const [firstDay, setFirstDay] = useState(rota.first_day);
  const [shifts, setShifts] = useState<RotaShift[]>(rota.shifts);
  const [alert, setAlert] = useState('');
  const { list, focusAfter } = useFocusAfter();

  const add = (days: number[]) => {
    const person = people[0]?.id ?? '';
    const added = days.map((weekday) => ({ person, week: 0, weekday, from: '00:00', until: '24:00' }));
    setShifts([...shifts, ...added]);
    focusAfter(shifts.length, 'select');
  };

  const remove = (index: number) => {
    setShifts(shifts.filter((_, at) => at !== index));
    focusAfter(Math.min(index, shifts.length - 2), 'button');
  };

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
      <div ref={list}>
        {shifts.map((shift, index) => (
          <ShiftRow
            key={index}
            {...{ shift, weeks, people }}
            number={index + 1}
            set={(part) => setShifts(shifts.map((one, at) => (at === index ? { ...one, ...part } : one)))}
            remove={() => remove(index)}
          />
        ))}
      </div>
      <div className="actions person-actions">
        <Button look="line" onClick={() => add([0])}>
          Add a shift
        </Button>
        <Button look="line" onClick={() => add(weekdays.map((_, weekday) => weekday))}>
          Add a whole week
        </Button>
        <Button look="ink" onClick={save}>
          Save schedule
        </Button>
      </div>
    </section>
  );
}

/** Moves the focus to a control of a row once the changed list is drawn. */
function useFocusAfter() {
  const list = useRef<HTMLDivElement>(null);
  const wanted = useRef<{ row: number; control: 'select' | 'button' }>(undefined);
  useEffect(() => {
    const { current } = wanted;
    if (!current) return;
    wanted.current = undefined;
    list.current?.children[current.row]?.querySelector<HTMLElement>(current.control)?.focus();
  });
  const focusAfter = (row: number, control: 'select' | 'button') => {
    wanted.current = { row, control };
  };
  return { list, focusAfter };
}
