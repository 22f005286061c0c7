// A quote request made of an email: the fields hold what it says, for the dispatcher to check.

import emailed from '@seeds/forms/emailed.json';
import { useEffect } from 'react';
import { makeQuote, readEmailFields } from '../../api/mail';
import { CheckField, Field } from '../../forms/field';
import type { FormRules } from '../../forms/rules';
import { Button } from '../../ui/button';
import { bodyOf, byField, deskRules, fill, useDeskForm } from '../panel/desk-form';
import { useAuth } from '../session/provider';
import { FieldError } from '../ui/field';
import { forget } from '../ui/kept';
import { errorMessage } from '../ui/use-submit';

export const emailRules: FormRules = deskRules(emailed);

type Props = { email: string; made(request: string): void; close(): void };

/** The form of a quote request that is made of an email. */
export function QuoteForm({ email, made, close }: Props) {
  const { form, messages: errors, alert, sending } = useQuoteForm(email, made);
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
      <FieldError role="alert" text={alert} />
      <div className="unmatched-actions">
        <Button type="submit" look="ink" disabled={sending} title="Ctrl+Enter">
          {sending ? 'Making' : 'Make request'}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            forget(`quote ${email}`);
            close();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}

function useQuoteForm(email: string, made: Props['made']) {
  const { manager } = useAuth();
  const state = useDeskForm({
    keep: `quote ${email}`,
    rules: emailRules,
    first: 'firstName',
    send: async (values) => {
      const { id } = await manager.withToken(makeQuote, email, bodyOf(emailRules, values));
      made(id);
    },
    errorsOf: (fields) => byField(emailRules, fields),
  });
  const { form, setAlert } = state;
  useEffect(() => {
    manager.withToken(readEmailFields, email).then(
      ({ fields }) => {
        if (form.ref.current) fill(form.ref.current, byField(emailRules, fields));
      },
      (error) => setAlert(errorMessage(error)),
    );
  }, [manager, email]);
  return state;
}
