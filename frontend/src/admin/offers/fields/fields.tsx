// The fields of the offer editor: each has a label, a message under it, and the name that the
// server gives it, as `posts.0.officers`.
import { type ReactNode, useRef, useState } from 'react';
import type { Offer, OfferDraft } from '../../../api/offers';
import { withValue } from '../../site/shape';
import { FieldError } from '../../ui/field';
import { filledContext } from '../../ui/filled-context';
import { amountText, type Faults, marked, parseAmount } from '../draft';

type Editing = {
  draft: OfferDraft;
  faults: Faults;
  /** What the draft took from the customer's words. */
  asked: Offer['asked'];
  change(draft: OfferDraft): void;
};

export const [EditingProvider, useEditing] = filledContext<Editing>('EditingProvider');

/** A function that changes the value of a field of the terms. */
export function useChange() {
  const { draft, change } = useEditing();
  return (field: string, value: unknown) => {
    const path = field.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const inDraft = field === 'message' || field === 'valid_until' ? path : ['terms', ...path];
    change(marked(draft, withValue(draft, inDraft, value) as OfferDraft, field));
  };
}

export type FieldProps = { name: string; label: string; hint?: string; className?: string };

type Control = {
  id: string;
  name: string;
  className: string;
  'aria-invalid': 'true' | undefined;
  'aria-describedby': string | undefined;
};

/** A label with its control, its hint and its message. */
export function Labelled(props: FieldProps & { children(control: Control): ReactNode }) {
  const { name, label, hint, className, children } = props;
  const id = `offer-${name.replaceAll('.', '-')}`;
  const message = useEditing().faults[name];
  const describedBy = [hint ? `${id}-hint` : '', message ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={['field', className].filter(Boolean).join(' ')}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        className: 'input',
        'aria-invalid': message ? 'true' : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {hint ? (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${id}-error`} text={message} />
    </div>
  );
}

/** The message of a group of fields. */
export function Message({ of }: { of: string }) {
  const message = useEditing().faults[of];
  return <FieldError role="alert" text={message} />;
}

type InputProps = FieldProps & { value: string; type?: 'text' | 'date' | 'time'; maxLength?: number };

export function TextInput({ value, type = 'text', maxLength = 200, ...field }: InputProps) {
  const set = useChange();
  return (
    <Labelled {...field}>
      {(control) => (
        <input
          {...control}
          type={type as 'text'}
          value={value}
          maxLength={type === 'text' ? maxLength : undefined}
          autoComplete="off"
          onInput={(event) => set(field.name, event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

/** `empty` is the value of an empty field. */
export function NumberInput({
  value,
  empty = Number.NaN,
  ...field
}: FieldProps & {
  value: number | null;
  empty?: number | null;
}) {
  const set = useChange();
  const read = (text: string) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN);
  return (
    <Typed
      {...field}
      text={value === null || Number.isNaN(value) ? '' : String(value)}
      mode="numeric"
      same={(text) => Object.is(text.trim() ? read(text) : empty, value)}
      set={(text) => set(field.name, text.trim() ? read(text) : empty)}
    />
  );
}

/** An amount in dollars; the value is in cents. */
export function AmountInput({ value, ...field }: FieldProps & { value: number }) {
  const set = useChange();
  return (
    <Typed
      {...field}
      text={amountText(value)}
      mode="decimal"
      same={(text) => Object.is(parseAmount(text), value)}
      set={(text) => set(field.name, parseAmount(text))}
    />
  );
}

type TypedProps = FieldProps & {
  text: string;
  mode: 'numeric' | 'decimal';
  /** Whether what was typed is the value, which can be written in several ways. */
  same(text: string): boolean;
  set(text: string): void;
};

/** Keeps the typed text of a number while it means the value. */
export function Typed({ text, mode, same, set, ...field }: TypedProps) {
  const [typed, setTyped] = useState(text);
  const box = useRef<HTMLInputElement>(null);
  return (
    <Labelled {...field}>
      {(control) => (
        <input
          {...control}
          ref={box}
          inputMode={mode}
          autoComplete="off"
          value={same(typed) ? typed : text}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            set(event.currentTarget.value);
          }}
        />
      )}
    </Labelled>
  );
}
