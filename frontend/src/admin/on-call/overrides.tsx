// Another person for a time, and swaps of two times.
import { useEffect, useState } from 'react';
import { addOverrides, type OnCallState, removeOverride } from '../../api/on-call';
import { Button } from '../../ui/button';
import { FormAlert } from '../ui/auth-card';
import { type Option, Options } from '../ui/choice';
import { ConfirmButton } from '../ui/confirm-button';
import { FormFault, required, useSubmit } from '../ui/use-submit';
import { type Change, companyTime, nameOf, peopleOptions } from './people';
import type { DayRange } from './week-strip';
import { momentOf, nextDay } from './zone';

type Props = {
  state: OnCallState;
  change: Change;
  /** Whole days that were chosen on the strip. */
  chosen: DayRange | undefined;
};

export function Overrides({ state, change, chosen }: Props) {
  const { overrides, people, spans, time_zone: zone } = state;
  const [alert, setAlert] = useState('');
  const taken = spans.filter((span) => span.people.length);

  const override = useSubmit({
    keep: 'override',
    check: required('person', 'from', 'until'),
    send: async ({ person = '', from = '', until = '' }) => {
      const moment = (local: string) => new Date(momentOf(local, zone)).toISOString();
      const times = { from: moment(from), until: moment(until) };
      const problem = await change((token) => addOverrides(token, [{ person, ...times }]));
      if (problem) throw new FormFault(problem);
      override.form.ref.current?.reset();
    },
  });

  const { ref } = override.form;
  useEffect(() => {
    const form = ref.current;
    if (!chosen || !form) return;
    for (const [name, day] of [
      ['from', chosen.first],
      ['until', nextDay(chosen.last)],
    ] as const) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = `${day}T00:00`;
    }
    const person = form.elements.namedItem('person');
    if (person instanceof HTMLSelectElement) person.focus();
    form.scrollIntoView?.({ block: 'center' });
  }, [chosen, ref]);

  const swap = useSubmit({
    keep: 'swap',
    check: required('one', 'other'),
    send: async ({ one = '', other = '' }) => {
      const [first, second] = [taken[Number(one)], taken[Number(other)]];
      const [ada, ben] = [first?.people[0], second?.people[0]];
      if (!first || !second || !ada || !ben) return;
      const swapped = [
        { person: ben, from: first.from, until: first.until },
        { person: ada, from: second.from, until: second.until },
      ];
      const problem = await change((token) => addOverrides(token, swapped));
      if (problem) throw new FormFault(problem);
    },
  });

  const spanOptions = taken.map(
    (span, nth): Option => [`${nth}`, `${nameOf(people, span.people[0])}, ${companyTime(span.from, zone)}`],
  );

  return (
    <section aria-labelledby="overrides-title">
      <h2 id="overrides-title">Overrides and swaps</h2>
      <p className="muted">{`Times in ${zone}`}</p>
      <FormAlert text={override.alert || swap.alert || alert} />
      <ul className="things">
        {overrides.map((it) => (
          <li key={it.id}>
            <span>
              <strong>{nameOf(people, it.person)}</strong>
              <span className="muted">{`${companyTime(it.from, zone)} to ${companyTime(it.until, zone)}`}</span>
            </span>
            <ConfirmButton
              name="Remove"
              of={`the override of ${nameOf(people, it.person)}`}
              act={async () => setAlert(await change((token) => removeOverride(token, it.id)))}
            />
          </li>
        ))}
      </ul>
      <form {...override.form} className="shift">
        <label>
          Instead
          <select className="input" name="person">
            <Options of={peopleOptions(people)} />
          </select>
        </label>
        <label>
          From
          <input className="input" type="datetime-local" name="from" />
        </label>
        <label>
          Until
          <input className="input" type="datetime-local" name="until" />
        </label>
        <Button type="submit" look="line" disabled={override.sending}>
          Add
        </Button>
        <p className="field-error" role="alert" hidden={!Object.keys(override.messages).length}>
          Choose both times.
        </p>
      </form>
      {taken.length > 1 ? (
        <form {...swap.form} className="shift">
          <label>
            Swap
            <select className="input" name="one">
              <Options of={spanOptions} />
            </select>
          </label>
          <label>
            with
            <select className="input" name="other">
              <Options of={spanOptions} />
            </select>
          </label>
          <Button type="submit" look="line" disabled={swap.sending}>
            Swap
          </Button>
        </form>
      ) : null}
    </section>
  );
}
