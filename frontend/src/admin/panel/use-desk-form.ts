// The state of a form that a dispatcher fills in: checked by its rules, with errors at the fields,
// and sent once.
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { type FieldValues, type FormRules, validate } from '../../forms/rules';
import { focusField, formValues } from '../ui/field';
import { errorMessage } from '../ui/use-submit';

type DeskForm = {
  rules: FormRules;
  /** The field that has the focus first. */
  first: string;
  /** Whether a field is checked; all are by default. */
  isChecked?(field: string, value: string): boolean;
  /** Sends the cleaned values. */
  send(values: FieldValues): Promise<void>;
  /** The server's messages by the names of the fields. */
  errorsOf(fields: Record<string, string>): FieldValues;
};

export function useDeskForm({ rules, first, isChecked = () => true, send, errorsOf }: DeskForm) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldValues>({});
  const [alert, setAlert] = useState('');
  const [sending, setSending] = useState(false);

  useEffect(() => {
    if (form.current) focusField(form.current, first);
  }, [first]);

  function show(found: FieldValues) {
    setErrors(found);
    const wrong = rules.fields.find(({ field }) => found[field]);
    if (wrong && form.current) focusField(form.current, wrong.field);
  }

  async function submit(event: { preventDefault(): void }) {
    event.preventDefault();
    if (sending || !form.current) return;
    const { values, errors } = validate(rules, formValues(form.current));
    const found = Object.entries(errors).filter(([field]) => isChecked(field, values[field] ?? ''));
    show(Object.fromEntries(found));
    setAlert(found.length > 0 ? 'Some fields need another look.' : '');
    if (found.length > 0) return;
    setSending(true);
    try {
      await send(values);
    } catch (error) {
      show(error instanceof ApiError ? errorsOf(error.details.fields ?? {}) : {});
      setAlert(errorMessage(error));
    } finally {
      setSending(false);
    }
  }

  function edited({ target }: { target: EventTarget | null }) {
    const { name } = target as HTMLInputElement;
    if (errors[name]) setErrors(({ [name]: _, ...rest }) => rest);
  }

  function sendByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }

  const handlers = { ref: form, noValidate: true, onSubmit: submit, onInput: edited, onKeyDown: sendByKey };
  return { errors, alert, setAlert, sending, form: handlers } as const;
}
