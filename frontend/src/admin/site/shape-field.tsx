// The form of a value, by what it consists of. Lists can be added to, removed from and reordered by
// buttons; an entry's fields are drawn when it is opened.
import { useState } from 'react';
import { Check, Options } from '../ui/choice';
import { FieldError } from '../ui/field';
import { Folded } from './folded';
import { ListField } from './list-field';
import { PictureField } from './pictures/picture-field';
import {
  choicesOf,
  type Editing,
  type Field,
  faultText,
  idAt,
  isSampleText,
  type Path,
  pointer,
  type Shape,
} from './shape';

type Props = { shape: Shape; label: string; value: unknown; path: Path; editing: Editing };

export function ShapeField(props: Props) {
  const { shape, value, path, editing } = props;
  switch (shape.type) {
    case 'fixed':
    case 'slug':
      return null;
    case 'sample':
      return <SampleMark {...props} />;
    case 'picture':
      return <PictureField {...props} whole={shape.whole} portrait={shape.portrait} />;
    case 'object':
      return <ObjectField fields={shape.fields ?? []} {...props} />;
    case 'list':
      return <ListField {...props} value={value as unknown[]} draw={ShapeField} />;
    case 'flag':
      return (
        <Check
          id={idAt(pointer(path))}
          label={props.label}
          checked={value === true}
          disabled={editing.disabled}
          set={(on) => editing.change(path, on)}
        />
      );
    default:
      return <Labelled {...props} />;
  }
}

/** The fields of an object; one inside another can be folded. */
function ObjectField({ fields, label, value, path, editing }: Props & { fields: Field[] }) {
  const entry = value as Record<string, unknown>;
  const within = entry.sample === true ? { ...editing, disabled: true } : editing;
  // A portrait and stars belong to the record that they came with.
  const unmarking: Editing = {
    ...editing,
    change: (at, next) => {
      editing.change(at, next);
      if (next) return;
      for (const key of ['portrait', 'rating']) if (key in entry) editing.change([...path, key], null);
    },
  };
  const rows = fields.map((field) => (
    <ShapeField
      key={field.key}
      shape={field}
      label={field.label}
      value={entry[field.key]}
      path={[...path, field.key]}
      editing={field.type === 'sample' ? unmarking : within}
    />
  ));
  if (!label) return <div className="site-fields">{rows}</div>;
  return (
    <Folded title={label} path={path} editing={editing}>
      {() => <div className="site-fields">{rows}</div>}
    </Folded>
  );
}

/**
 * The mark of a sample. Without it the entry can be edited, and is real; it can be put back until
 * the form is left.
 */
function SampleMark({ value, path, editing }: Props) {
  const [wasSample] = useState(value === true);
  const fault = editing.faults[pointer(path)];
  if (!wasSample && value !== true) return null;
  return (
    <div className="field">
      <Check
        id={idAt(pointer(path))}
        label="This is a sample"
        checked={value === true}
        set={(on) => editing.change(path, on)}
      />
      <p className="field-hint">
        {value === true
          ? 'A public site leaves samples out. Take the mark off to write a real entry in its place.'
          : 'A real entry: name people and companies that exist and agreed, in their own words (FTC rules on reviews).'}
      </p>
      <FieldError text={faultText('This', fault)} />
    </div>
  );
}

/** A labelled control with its length and its message. */
function Labelled({ shape, label, value, path, editing }: Props) {
  const id = idAt(pointer(path));
  const fault = editing.faults[pointer(path)];
  const text = value === null || value === undefined ? '' : String(value);
  const length = [...text].length;
  const isSample = shape.type === 'text' && isSampleText(text);
  const hint = [
    isSample ? 'Still a sample: write your own words.' : '',
    shape.markup ? 'Write **bold** for bold words, [words](https://site.example) for a link.' : '',
  ]
    .filter(Boolean)
    .join(' ');
  const describedBy = [
    shape.max && shape.type === 'text' ? `${id}-length` : '',
    hint ? `${id}-hint` : '',
    fault ? `${id}-error` : '',
  ]
    .filter(Boolean)
    .join(' ');
  const control = {
    id,
    className: 'input',
    value: text,
    disabled: editing.disabled,
    'aria-invalid': fault ? ('true' as const) : undefined,
    'aria-describedby': describedBy || undefined,
  };
  const change = (next: string) => editing.change(path, read(shape, next));
  return (
    <div className={isSample ? 'field field-sample' : 'field'}>
      <div className="site-name">
        <label htmlFor={id}>{label || 'Entry'}</label>
        {shape.type === 'text' ? (
          <span id={`${id}-length`} className="field-hint">
            {`${length} of ${shape.max}`}
            <span className="visually-hidden"> characters</span>
          </span>
        ) : null}
      </div>
      <Control shape={shape} control={control} change={change} />
      {hint ? (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${id}-error`} text={faultText('This', fault)} />
    </div>
  );
}

type ControlProps = {
  shape: Shape & { optional?: boolean };
  control: { id: string; className: string; value: string; disabled: boolean | undefined };
  change(text: string): void;
};

function Control({ shape, control, change }: ControlProps) {
  if (shape.type === 'choice') {
    return (
      <select {...control} onChange={(event) => change(event.currentTarget.value)}>
        {control.value ? null : <option value="">{shape.optional ? 'Not chosen' : 'Choose'}</option>}
        <Options of={choicesOf(shape).map(({ value, label }) => [value, label])} />
      </select>
    );
  }
  if (shape.type === 'text' && (shape.lines || shape.markup || (shape.max ?? 0) > 90)) {
    const rows = Math.min(8, Math.ceil((shape.max ?? 0) / 80));
    return <textarea {...control} rows={rows} onInput={(event) => change(event.currentTarget.value)} />;
  }
  const type = { number: 'number', date: 'date', time: 'time' }[shape.type as string] ?? 'text';
  const inputMode = shape.type === 'amount' ? 'decimal' : undefined;
  return (
    <input
      {...control}
      type={type as 'text'}
      inputMode={inputMode}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}

/** The value of what was typed. */
function read(shape: Shape & { optional?: boolean }, text: string): unknown {
  if (shape.type === 'number') return text === '' ? null : Number(text);
  return shape.optional && text === '' ? null : text;
}
