// One labelled field of the admin's forms: the label above, the hint and the message under it, both
// tied to it. A password field has a button that shows what was typed.
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';

type InputProps =
  | 'autoComplete'
  | 'inputMode'
  | 'enterKeyHint'
  | 'maxLength'
  | 'autocapitalize'
  | 'spellcheck'
  | 'defaultValue'
  | 'onInput';

type Props = Pick<ComponentProps<'input'>, InputProps> & {
  type?: 'text' | 'email' | 'password';
  name: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  /** Whether it has the focus when it appears. */
  focus?: boolean;
};

export function TextField({ name, label, hint, error, optional, focus, type = 'text', ...input }: Props) {
  const [seen, setSeen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // After the heading of the view, which takes the focus too.
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);
  const describedBy = [hint ? `${name}-hint` : '', error ? `${name}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <div className="field-line">
        <input
          ref={field}
          id={name}
          name={name}
          className="input"
          aria-required={optional ? undefined : 'true'}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={describedBy || undefined}
          {...input}
          type={(seen ? 'text' : type) as 'text'}
        />
        {type === 'password' ? (
          <button
            type="button"
            className="field-show"
            aria-pressed={seen}
            aria-controls={name}
            onClick={() => setSeen(!seen)}
          >
            Show<span className="visually-hidden"> what is typed</span>
          </button>
        ) : null}
      </div>
      {hint ? (
        <p id={`${name}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${name}-error`} text={error} />
    </div>
  );
}

type LabeledProps = { id: string; label: string; className?: string; children: ReactNode };

/** A label above its control. */
export function Labeled({ id, label, className, children }: LabeledProps) {
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}

/** A code of digits, which a phone offers to fill in. */
export function CodeField(props: Props) {
  return <TextField inputMode="numeric" autoComplete="one-time-code" maxLength={7} {...props} />;
}

type ErrorProps = { id?: string; role?: 'alert'; text: string | undefined };

/** What is wrong with a field, or with role `alert` with what was to be done. */
export function FieldError({ id, role, text }: ErrorProps) {
  return (
    <p id={id} className="field-error" role={role} hidden={!text}>
      {text}
    </p>
  );
}

/** Focuses a field when its form opens. */
export function focusOnce(field: HTMLElement | null) {
  field?.focus();
}

/** The texts in a form by the names of its fields. */
export function formValues(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** Moves the focus to a field of a form, by its name. */
export function focusField(form: HTMLFormElement, name: string) {
  form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
}
