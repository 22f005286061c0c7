// The state of a form that a dispatcher fills in: checked by its rules, with errors at the fields,
// and sent once.
import { useEffect } from 'react';
import { ApiError } from '../../api/admin-client';
import { type FieldValues, type FormRules, validate } from '../../forms/rules';
import { focusField } from '../ui/field';
import { useSubmit } from '../ui/use-submit';

type DeskForm = {
  /** The name under which this browser keeps what is typed. */
  keep: string;
  rules: FormRules;
  /** What is in the fields at first. */
  initial?: FieldValues;
  /** The field that has the focus first. */
  first: string;
  /** Whether a field is checked; all are by default. */
  isChecked?(field: string, value: string): boolean;
  /** Sends the cleaned values. */
  send(values: FieldValues): Promise<void>;
  /** The server's messages by the names of the fields. */
  errorsOf(fields: Record<string, string>): FieldValues;
};

export function useDeskForm({ rules, first, isChecked = () => true, send, errorsOf, ...kept }: DeskForm) {
  const state = useSubmit({
    ...kept,
    incomplete: 'Some fields need another look.',
    check(typed) {
      const { values, errors } = validate(rules, typed);
      const found = Object.entries(errors).filter(([field]) => isChecked(field, values[field] ?? ''));
      return Object.fromEntries(found);
    },
    send: (typed) => send(validate(rules, typed).values),
    fieldsOf: (error) => (error instanceof ApiError ? errorsOf(error.details.fields ?? {}) : {}),
  });
  const { ref } = state.form;
  useEffect(() => {
    if (ref.current) focusField(ref.current, first);
  }, [first]);
  return state;
}
