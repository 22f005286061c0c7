// One labelled field, drawn from its rule: the label above, the message under it and tied to it, and the offer to mend a
// refused text. Values stay in the document: what was typed before the script arrived, or sent back by the server, is kept.
import { type ComponentProps, useEffect, useState } from 'react';
import { useServed } from '../still';
import { Icon } from '../ui/icon';
import { mend, mendable, refused } from './mend';
import type { FieldRule, FormRules, Texts } from './rules';

type Props = Pick<ComponentProps<'input'>, 'autoComplete' | 'inputMode' | 'enterKeyHint'> & {
  type?: 'text' | 'email' | 'tel' | 'date';
  rules: FormRules;
  name: string;
  errors: Texts;
  hint?: string;
  /** The option that is chosen at first. */
  chosen?: string;
  /** Takes the whole row of the form. */
  row?: boolean;
};

export function Field({ rules, name, errors, hint, chosen, row, type = 'text', ...input }: Props) {
  const rule = ruleOf(rules, name);
  const message = errors[name];
  const served = useServed();
  const control = {
    id: boxId(name),
    name,
    className: 'input',
    'aria-required': rule.optional ? undefined : ('true' as const),
    'aria-invalid': message ? ('true' as const) : undefined,
    'aria-describedby': hint ? `${name}-error ${name}-hint` : `${name}-error`,
  };
  return (
    <div className={row ? 'field form-row' : 'field'}>
      <label htmlFor={boxId(name)}>
        {rule.label}
        {rule.optional ? <span className="optional"> (optional)</span> : null}
      </label>
      {rule.options ? (
        <select {...control}>
          <option value="">Please select</option>
          {rule.options.map(({ value, label }) => (
            <option key={value} value={value} selected={value === chosen}>
              {label}
            </option>
          ))}
        </select>
      ) : rule.multiline ? (
        <textarea {...control} {...served} rows={5} />
      ) : (
        <input {...control} {...input} type={type as 'text'} />
      )}
      {hint ? (
        <p id={`${name}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
      <p id={`${name}-error`} className="field-error" hidden={!message}>
        {message}
      </p>
      {mendable(rule, message) ? <Mend rule={rule} /> : null}
    </div>
  );
}

/** The id of a field's box. Not the bare name: the page's facts stand under `company` (see company.ts). */
export function boxId(name: string): string {
  return `field-${name}`;
}

/** The rule of a field. Names are literal in our code, so a missing one is a mistake there. */
export function ruleOf(rules: FormRules, name: string): FieldRule {
  const rule = rules.fields.find(({ field }) => field === name);
  if (!rule) throw new Error(`no field "${name}"`);
  return rule;
}

/** Names the refused characters and takes them out on request. */
function Mend({ rule }: { rule: FieldRule }) {
  const [found, setFound] = useState('');
  const box = () => document.getElementById(boxId(rule.field)) as HTMLInputElement;
  useEffect(() => setFound(refused(rule, box().value).join('  ')), [rule]);
  const mendNow = () => {
    box().value = mend(rule, box().value);
    box().dispatchEvent(new Event('input', { bubbles: true }));
    box().focus();
  };
  return (
    <div className="field-mend">
      <span>
        {'Found: '}
        <code>{found}</code>
      </span>
      <button type="button" className="button button-quiet" onClick={mendNow}>
        <Icon name="check" />
        Mend the text
      </button>
    </div>
  );
}

/** A single box to tick. */
export function CheckField({ rules, name }: { rules: FormRules; name: string }) {
  return (
    <div className="field form-row">
      <label className="field-check" htmlFor={boxId(name)}>
        <input type="checkbox" id={boxId(name)} name={name} value="on" aria-describedby={`${name}-error`} />
        {ruleOf(rules, name).label}
      </label>
      <p id={`${name}-error`} className="field-error" hidden />
    </div>
  );
}
