// A labeled form field, rendered from its rule, with its error message and, for free text, a
// suggested fix. Fields are uncontrolled: text that was typed before hydration, or sent back by the
// server, stays.
import { type ComponentProps, useEffect, useState } from 'react';
import { useServerHtml } from '../static-island';
import { Icon } from '../ui/icon';
import type { FieldRule, FieldValues, FormRules } from './rules';
import { findDenied, fixText, isFixable } from './suggest-fix';

type Props = Pick<ComponentProps<'input'>, 'autoComplete' | 'inputMode' | 'enterKeyHint'> & {
  type?: 'text' | 'email' | 'tel' | 'date';
  rules: FormRules;
  name: string;
  errors: FieldValues;
  hint?: string;
  /** The initially selected option. */
  selected?: string;
  /** Spans all columns of the form. */
  wide?: boolean;
};

export function Field({ rules, name, errors, hint, selected, wide, type = 'text', ...input }: Props) {
  const rule = ruleOf(rules, name);
  const message = errors[name];
  const served = useServerHtml();
  const control = {
    id: controlId(name),
    name,
    className: 'input',
    'aria-required': rule.optional ? undefined : ('true' as const),
    'aria-invalid': message ? ('true' as const) : undefined,
    'aria-describedby': hint ? `${name}-error ${name}-hint` : `${name}-error`,
  };
  return (
    <div className={wide ? 'field form-row' : 'field'}>
      <label htmlFor={controlId(name)}>
        {rule.label}
        {rule.optional ? <span className="optional"> (optional)</span> : null}
      </label>
      {rule.options ? (
        <select {...control}>
          <option value="">Please select</option>
          {rule.options.map(({ value, label }) => (
            <option key={value} value={value} selected={value === selected}>
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
      {isFixable(rule, message) ? <SuggestFix rule={rule} /> : null}
    </div>
  );
}

/**
 * The id of a field's control. It is prefixed because the element `company` holds the company data
 * (see company.ts).
 */
export function controlId(name: string): string {
  return `field-${name}`;
}

/** The rule of a field; throws if the form has no such field. */
export function ruleOf(rules: FormRules, name: string): FieldRule {
  const rule = rules.fields.find(({ field }) => field === name);
  if (!rule) throw new Error(`no field "${name}"`);
  return rule;
}

/** Lists the denied characters and removes them on request. */
function SuggestFix({ rule }: { rule: FieldRule }) {
  const [found, setFound] = useState('');
  const control = () => document.getElementById(controlId(rule.field)) as HTMLInputElement;
  useEffect(() => setFound(findDenied(rule, control().value).join('  ')), [rule]);
  const applyFix = () => {
    control().value = fixText(rule, control().value);
    control().dispatchEvent(new Event('input', { bubbles: true }));
    control().focus();
  };
  return (
    <div className="field-fix">
      <span>
        {'Found: '}
        <code>{found}</code>
      </span>
      <button type="button" className="button button-quiet" onClick={applyFix}>
        <Icon name="check" />
        Mend the text
      </button>
    </div>
  );
}

/** A checkbox. */
export function CheckField({ rules, name }: { rules: FormRules; name: string }) {
  return (
    <div className="field form-row">
      <label className="field-check" htmlFor={controlId(name)}>
        <input
          type="checkbox"
          id={controlId(name)}
          name={name}
          value="on"
          aria-describedby={`${name}-error`}
        />
        {ruleOf(rules, name).label}
      </label>
      <p id={`${name}-error`} className="field-error" hidden />
    </div>
  );
}
