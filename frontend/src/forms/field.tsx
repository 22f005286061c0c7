// A labeled form field, rendered from its rule, with its error message and, for free text, a
// suggested fix. Fields are uncontrolled: text that was typed before hydration, or sent back by the
// server, stays.
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react';
import { useServerHtml } from '../static-island';
import { controlId } from './control-id';
import { afterPress } from './press';
import type { FieldRule, FieldValues, FormRules } from './rules';
import type { FixProps } from './suggest-fix';

type Props = Pick<ComponentProps<'input'>, 'autoComplete' | 'inputMode' | 'onFocus'> & {
  type?: 'text' | 'email' | 'tel' | 'date';
  rules: FormRules;
  name: string;
  errors: FieldValues;
  hint?: string | undefined;
  /** In place of the rule's label. */
  label?: string | undefined;
  /** The initially selected option. */
  selected?: string | undefined;
  /** Spans all columns of the form. */
  wide?: boolean;
};

export function Field({ rules, name, errors, hint, label, selected, wide, type = 'text', ...input }: Props) {
  const rule = ruleOf(rules, name);
  const message = errors[name];
  const served = useServerHtml();
  // How often an address was left: each time it is looked at for mistakes.
  const [left, setLeft] = useState(0);
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
        {label || rule.label}
        {rule.optional ? <span className="optional"> (optional)</span> : null}
      </label>
      {rule.options ? (
        <select {...control}>
          <option value="">Please select</option>
          {rule.options.map(({ value, label, unlisted }) =>
            unlisted && value !== selected ? null : (
              <option key={value} value={value} selected={value === selected}>
                {label}
              </option>
            ),
          )}
        </select>
      ) : rule.multiline ? (
        <textarea {...control} {...served} rows={5} />
      ) : (
        <input
          {...control}
          enterKeyHint="next"
          {...input}
          type={type as 'text'}
          onBlur={type === 'email' ? () => afterPress(() => setLeft(left + 1)) : undefined}
        />
      )}
      {hint ? (
        <p id={`${name}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
      <p id={`${name}-error`} className="field-error" hidden={!message}>
        {message}
      </p>
      {message || left ? <LazyFix key={left} rule={rule} /> : null}
    </div>
  );
}

/** The rule of a field that the form has. */
export function ruleOf(rules: FormRules, name: string): FieldRule {
  return rules.fields.find(({ field }) => field === name) as FieldRule;
}

/**
 * Offers a fix for the field's value, if there is one; its code is loaded with the first message.
 */
function LazyFix(props: FixProps) {
  const [Fix, setFix] = useState<ComponentType<FixProps>>();
  useEffect(() => {
    import('./suggest-fix').then(
      (module) => afterPress(() => setFix(() => module.SuggestFix)),
      () => {},
    );
  }, []);
  return Fix ? <Fix {...props} /> : null;
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
