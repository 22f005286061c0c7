// A quote request made of an email: the fields hold what it says, for the dispatcher to check.
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { makeQuote, readEmailFields } from '../../api/mail';
import { CheckField, Field } from '../../forms/field';
import { type FieldValues, validate } from '../../forms/rules';
import { Button } from '../../ui/button';
import { bodyOf, byField, fill } from '../phone/desk-form';
import { useAuth } from '../session/provider';
import { focusField, formValues } from '../ui/field';
import { errorMessage } from '../ui/use-submit';
import { emailRules } from './email-rules';

type Props = { email: string; made(request: string): void; close(): void };

export function QuoteForm({ email, made, close }: Props) {
  const { form, errors, alert, sending } = useQuoteForm(email, made);
  const fields = { rules: emailRules, errors };
  return (
    <form
      {...form}
      className="panel-form phone-form email-form"
      autoComplete="off"
      aria-label="Quote request"
    >
      <p className="muted">Filled in from the email. Check each field; the email stays in the history.</p>
      <CheckField rules={emailRules} name="emergencyContact" />
      <Field {...fields} name="firstName" />
      <Field {...fields} name="lastName" />
      <Field {...fields} name="email" type="email" inputMode="email" />
      <Field {...fields} name="phone" type="tel" inputMode="tel" />
      <Field {...fields} name="company" />
      <Field {...fields} name="serviceType" />
      <Field {...fields} name="location" hint="Street address, city or ZIP code of the site" />
      <Field {...fields} name="startDate" type="date" />
      <Field {...fields} name="duration" />
      <Field {...fields} name="description" wide hint="Hours, number of guards, what to protect" />
      <p className="field-error" role="alert" hidden={!alert}>
        {alert}
      </p>
      <div className="unmatched-actions">
        <Button type="submit" look="ink" disabled={sending} title="Ctrl+Enter">
          {sending ? 'Making' : 'Make request'}
        </Button>
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function useQuoteForm(email: string, made: Props['made']) {
  const { manager } = useAuth();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldValues>({});
  const [alert, setAlert] = useState('');
  const [sending, setSending] = useState(false);

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[name="firstName"]')?.focus();
    manager
      .withToken((token) => readEmailFields(token, email))
      .then(
        ({ fields }) => {
          if (form.current) fill(form.current, byField(emailRules, fields));
        },
        (error) => setAlert(errorMessage(error)),
      );
  }, [manager, email]);

  function show(found: FieldValues) {
    setErrors(found);
    const first = emailRules.fields.find(({ field }) => found[field]);
    if (first && form.current) focusField(form.current, first.field);
  }

  async function submit(event: { preventDefault(): void }) {
    event.preventDefault();
    if (sending || !form.current) return;
    const { values, errors: found } = validate(emailRules, formValues(form.current));
    show(found);
    setAlert(Object.keys(found).length > 0 ? 'Some fields need another look.' : '');
    if (Object.keys(found).length > 0) return;
    setSending(true);
    try {
      const { id } = await manager.withToken((token) => makeQuote(token, email, bodyOf(emailRules, values)));
      made(id);
    } catch (error) {
      show(error instanceof ApiError ? byField(emailRules, error.details.fields ?? {}) : {});
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
  return { errors, alert, sending, form: handlers } as const;
}
