// The classes of officers and other services with their prices side by side.

import { useRef } from 'react';
import { Button } from '../../ui/button';
import { blank, type Editing, faultText, pointer } from '../site/shape';
import { Options } from '../ui/choice';
import { FieldError } from '../ui/field';
import type { RatesForm } from './form';
import { classShape } from './shape';
import { units } from './shape-parts';

type ClassForm = RatesForm['rates']['classes'][number];

type Props = {
  classes: ClassForm[];
  /** The prices of the sample by the key of their class; none once rates were published. */
  samples: ReadonlyMap<string, string> | undefined;
  editing: Editing;
};

const path = ['rates', 'classes'] as const;

export function ClassTable({ classes, samples, editing }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const isSample = ({ key, rate }: ClassForm) => samples?.get(key) === rate;
  const add = () => {
    editing.change(path, [...classes, blank(classShape)]);
    setTimeout(() => body.current?.querySelector<HTMLElement>('tr:last-child input')?.focus());
  };
  const fault = editing.faults[pointer(path)];
  return (
    <section className="rates-classes" aria-labelledby="classes-title">
      <h3 id="classes-title">Classes and their prices</h3>
      {classes.some(isSample) ? (
        <p className="field-hint">Prices marked “sample” are still those of the sample.</p>
      ) : null}
      <FieldError text={faultText('This list', fault)} />
      <table>
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col">Price ($)</th>
            <th scope="col">Charged by</th>
            <th scope="col">Minimum (hours)</th>
            <td />
          </tr>
        </thead>
        <tbody ref={body}>
          {classes.map((entry, nth) => (
            <Row
              key={entry.key}
              entry={entry}
              nth={nth}
              isSample={isSample(entry)}
              editing={editing}
              remove={classes.length > 1 ? () => editing.change(path, classes.toSpliced(nth, 1)) : undefined}
            />
          ))}
        </tbody>
      </table>
      <Button look="line" className="button-small" onClick={add}>
        Add a class
      </Button>
    </section>
  );
}

type RowProps = {
  entry: ClassForm;
  nth: number;
  isSample: boolean;
  editing: Editing;
  remove: (() => void) | undefined;
};

function Row({ entry, nth, isSample, editing, remove }: RowProps) {
  const name = entry.title || 'the new class';
  const control = (key: keyof ClassForm, label: string) => {
    const at = [...path, nth, key];
    const fault = editing.faults[pointer(at)];
    const id = `site${pointer(at).replaceAll('/', '-')}`;
    return {
      fault: fault ? (
        <span id={`${id}-error`} className="field-error">
          {faultText('This', fault)}
        </span>
      ) : null,
      props: {
        id,
        className: 'input',
        'aria-label': `${label} of ${name}`,
        'aria-invalid': fault ? ('true' as const) : undefined,
        'aria-describedby': fault ? `${id}-error` : undefined,
        value: String(entry[key]),
      },
      set: (text: string) => editing.change(at, text),
    };
  };
  const cell = (key: keyof ClassForm, label: string, head = label) => {
    const { props, fault, set } = control(key, label);
    return (
      <td data-label={head}>
        {key === 'unit' ? (
          <select {...props} onChange={(event) => set(event.currentTarget.value)}>
            <Options of={units.map(({ value, label }) => [value, label])} />
          </select>
        ) : (
          <input
            {...props}
            inputMode={key === 'title' ? undefined : 'decimal'}
            onInput={(event) => set(event.currentTarget.value)}
          />
        )}
        {key === 'rate' && isSample ? <span className="rates-mark">sample</span> : null}
        {fault}
      </td>
    );
  };
  return (
    <tr className={isSample ? 'rates-sample' : undefined}>
      {cell('title', 'Name', 'Class')}
      {cell('rate', 'Price ($)')}
      {cell('unit', 'Charged by')}
      {cell('minimum', 'Minimum (hours)')}
      <td>
        <Button look="quiet" className="button-small" disabled={!remove} onClick={remove}>
          Remove
          <span className="visually-hidden">{` ${name}`}</span>
        </Button>
      </td>
    </tr>
  );
}
