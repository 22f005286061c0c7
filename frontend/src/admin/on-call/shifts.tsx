// The schedule: rotations in a line each, and single shifts that come back. Where two cover a time,
// single shifts count first, then nights and weekends, then the rest.
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type OnCallState, replaceRota } from '../../api/on-call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../ui/auth-card';
import { useKept } from '../ui/kept';
import type { Change } from './people';
import {
  cycleOf,
  type Hours,
  handoverDay,
  maxWeeks,
  newRotation,
  ordered,
  type Plan,
  planOf,
  shiftsOf,
} from './rotation';
import { RotationRow, ShiftRow } from './rotation-row';
import { Gaps, noSchedule } from './schedule';
import { dayAfter } from './zone';

export function Shifts({ state, change }: { state: OnCallState; change: Change }) {
  const { rota, people } = state;
  const stored = useMemo(() => planOf(rota, state.time_zone), [rota, state.time_zone]);
  /** What was changed here and is not saved yet, with the version that it was made from. */
  const [edited, setEdited] = useKept<Plan>('rota');
  const latest = useRef(edited);
  latest.current = edited;
  const plan = edited ?? stored;
  const { rotations, singles, singleWeeks, firstDay } = plan;
  const set = (part: Partial<Plan>) => setEdited({ ...plan, ...part });
  const isSaving = useRef(false);
  const gaps = useRef<HTMLDivElement>(null);
  const [alert, setAlert] = useState('');
  const { list, focusAfter } = useFocusAfter();
  const weeks = cycleOf(rotations, singleWeeks || 1);

  const addRotation = (hours: Hours) => {
    set({ rotations: [...rotations, newRotation(hours)] });
    focusAfter(rotations.length, 'select');
  };
  const addShift = () => {
    const person = people[0]?.id ?? '';
    set({ singles: [...singles, { person, week: 0, weekday: 0, from: '08:00', until: '18:00' }] });
    focusAfter(rotations.length + singles.length, 'select');
  };
  const removeShift = (index: number) => {
    set({ singles: singles.filter((_, at) => at !== index) });
    focusAfter(rotations.length + Math.min(index, singles.length - 2), 'button:last-child');
  };

  async function save() {
    if (isSaving.current) return;
    const empty = rotations.findIndex((rotation) => !rotation.people.length);
    if (empty >= 0) return setAlert(`Choose the people of rotation ${empty + 1}, or remove it.`);
    if (weeks > maxWeeks)
      return setAlert(
        `These rotations begin anew together after ${weeks} weeks; at most ${maxWeeks} are kept. Let them have the same number of people.`,
      );
    const all = ordered(rotations).flatMap((rotation) => shiftsOf(rotation, weeks));
    const shifts = [...singles, ...all];
    const first_day = dayAfter(firstDay, -handoverDay(rotations));
    isSaving.current = true;
    const failed = await change((token) =>
      replaceRota(token, { weeks, first_day, shifts, version: plan.version }),
    );
    isSaving.current = false;
    setAlert(failed);
    if (failed) return;
    // What was changed during the call is not saved yet.
    const now = latest.current;
    setEdited(now === edited ? undefined : now && { ...now, version: plan.version + 1 });
    toast({ title: 'Schedule saved' });
    // What has come above it may have moved it out of the window.
    setTimeout(() => gaps.current?.scrollIntoView?.({ block: 'nearest' }));
  }

  if (!edited && rotations.length + singles.length === 0) {
    return (
      <section aria-labelledby="shifts-title">
        <h2 id="shifts-title">Schedule</h2>
        <p>{noSchedule}</p>
        <div className="actions">
          <Button look="ink" onClick={() => addRotation('always')}>
            Add a rotation
          </Button>
        </div>
      </section>
    );
  }
  return (
    <section aria-labelledby="shifts-title">
      <h2 id="shifts-title">Schedule</h2>
      <FormAlert text={alert} />
      <div ref={list}>
        {rotations.map((rotation, nth) => (
          <RotationRow
            key={`rotation ${nth}`}
            {...{ rotation, people }}
            number={nth + 1}
            set={(part) =>
              set({ rotations: rotations.map((one, at) => (at === nth ? { ...one, ...part } : one)) })
            }
            remove={() => set({ rotations: rotations.filter((_, at) => at !== nth) })}
          />
        ))}
        {singles.map((shift, index) => (
          <ShiftRow
            key={`shift ${index}`}
            {...{ shift, weeks, people }}
            number={index + 1}
            set={(part) =>
              set({ singles: singles.map((one, at) => (at === index ? { ...one, ...part } : one)) })
            }
            remove={() => removeShift(index)}
          />
        ))}
      </div>
      {weeks > 1 || singles.length ? (
        <div className="shift">
          {weeks > 1 ? (
            <label>
              {rotations.some(({ length }) => length === 'week')
                ? 'The first person has the week of'
                : 'Week 1 is the week of'}
              <input
                className="input"
                type="date"
                value={firstDay}
                onChange={(event) => set({ firstDay: event.currentTarget.value })}
              />
            </label>
          ) : null}
          {singles.length ? (
            <label>
              Weeks of single shifts
              <input
                className="input"
                type="number"
                min={1}
                max={maxWeeks}
                value={singleWeeks}
                onChange={(event) => set({ singleWeeks: Number(event.currentTarget.value) })}
              />
            </label>
          ) : null}
        </div>
      ) : null}
      <div ref={gaps} role="alert">
        <Gaps state={state} />
      </div>
      {edited ? (
        <p className="muted" role="status">
          Not saved yet, kept in this browser.{' '}
          <Button look="quiet" onClick={() => setEdited(undefined)}>
            Show what is saved
          </Button>
        </p>
      ) : null}
      <div className="actions person-actions">
        <Button look="line" onClick={() => addRotation('always')}>
          Add a rotation
        </Button>
        <Button look="line" onClick={() => addRotation('nights')}>
          Others at night
        </Button>
        <Button look="line" onClick={() => addRotation('weekends')}>
          Others on weekends
        </Button>
        <Button look="line" onClick={addShift}>
          Add a single shift
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
  const wanted = useRef<{ row: number; control: string }>(undefined);
  // An effect after painting may still be due from the drawing before, in which the row is missing.
  useLayoutEffect(() => {
    const { current } = wanted;
    if (!current) return;
    wanted.current = undefined;
    list.current?.children[current.row]?.querySelector<HTMLElement>(current.control)?.focus();
  });
  const focusAfter = (row: number, control: string) => {
    wanted.current = { row, control };
  };
  return { list, focusAfter };
}
