// Forms that dispatchers fill in: the rules of a form for visitors, with the exceptions of a file
// of seeds/forms. The server builds them in the same way (src/domain/form/rules.rs).

import contact from '@seeds/forms/contact.json';
import quote from '@seeds/forms/quote.json';
import { useEffect } from 'react';
import { ApiError } from '../../api/admin-client';
import { type FieldValues, type FormRules, type Outcome, validate } from '../../forms/rules';
import { focusField } from '../ui/field';
import { useSubmit } from '../ui/use-submit';

type Exceptions = {
  form: string;
  rules: string;
  optional: string[];
  labels: Record<string, string>;
  messages: Record<string, string>;
  reject: string;
  outcomes: Record<string, Outcome>;
};

export function deskRules({ form, rules, ...exceptions }: Exceptions): FormRules {
  const { optional, labels, messages, reject, outcomes } = exceptions;
  const base = (rules === 'contact' ? contact : quote) as FormRules;
  return {
    ...base,
    form,
    fields: base.fields
      // The trap is for programs.
      .filter(({ label }) => label)
      .map((rule) => ({
        ...rule,
        label: labels[rule.field] ?? rule.label,
        checks: rule.checks.map((check) => ({
          ...check,
          message: messages[check.message] ?? check.message,
          ...(check.reject ? { reject } : {}),
        })),
        ...(optional.includes(rule.field) ? { optional: true } : {}),
      })),
    outcomes,
  };
}

/** `firstName` is `first_name` in the API. */
const keyOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The body of the API's call; a checkbox is true or false. */
export function bodyOf(rules: FormRules, values: FieldValues): Record<string, string | boolean> {
  return Object.fromEntries(
    rules.fields.map(({ field, boolean }) => {
      const value = values[field] ?? '';
      return [keyOf(field), boolean ? value === 'true' : value];
    }),
  );
}

/** The server's values or messages by the names of the form's fields. */
export function byField(rules: FormRules, found: Record<string, string>): FieldValues {
  return Object.fromEntries(
    rules.fields.flatMap(({ field }) => {
      const value = found[keyOf(field)];
      return value ? [[field, value]] : [];
    }),
  );
}

/** Writes values into the fields that are empty. */
export function fill(form: HTMLFormElement, values: FieldValues) {
  for (const [name, value] of Object.entries(values)) {
    const control = form.elements.namedItem(name) as HTMLInputElement | RadioNodeList | null;
    if (control instanceof RadioNodeList) control.value = value;
    else if (control?.type === 'checkbox') control.checked = value === 'on';
    else if (control && !control.value) control.value = value;
  }
}

type DeskForm = {
  /** The name under which this browser keeps what is typed. */
  keep?: string;
  rules: FormRules;
  /** What is in the fields at first. */
  initial?: FieldValues;
  /** The field that has the focus first. */
  first: string;
  /** Whether a field is checked; all are by default. */
  isChecked?(field: string, value: string): boolean;
  /** Sends the cleaned values; `typed` are all fields as they were typed. */
  send(values: FieldValues, typed: FieldValues): Promise<void>;
  /** The server's messages by the names of the fields. */
  errorsOf(fields: Record<string, string>): FieldValues;
};

/**
 * The state of a form that a dispatcher fills in: checked by its rules, with errors at the fields,
 * and sent once.
 */
export function useDeskForm({ rules, first, isChecked = () => true, send, errorsOf, ...kept }: DeskForm) {
  const state = useSubmit({
    ...kept,
    incomplete: 'Some fields need another look.',
    check(typed) {
      const { values, errors } = validate(rules, typed);
      const found = Object.entries(errors).filter(([field]) => isChecked(field, values[field] ?? ''));
      return Object.fromEntries(found);
    },
    send: (typed) => send(validate(rules, typed).values, typed),
    fieldsOf: (error) => (error instanceof ApiError ? errorsOf(error.details.fields ?? {}) : {}),
  });
  const { ref } = state.form;
  useEffect(() => {
    if (ref.current) focusField(ref.current, first);
  }, [first]);
  return state;
}
