// Corrects what a request says of its customer and of what they need, in the place of what it says.

import edited from '@seeds/forms/edited.json';
import editedMessage from '@seeds/forms/edited-message.json';
import { useRef } from 'react';
import type { RequestItem } from '../../api/inbox';
import { Field } from '../../forms/field';
import type { FieldValues, FormRules } from '../../forms/rules';
import { Button } from '../../ui/button';
import { useDesk } from '../state/use-desk';
import { losesFocus } from '../state/use-row-focus';
import { FieldError } from '../ui/field';
import { forget } from '../ui/kept';
import { deskRules, useDeskForm } from './desk-form';

// The form that corrects what a request says: its rules, and the values by the names of the API.

/** Fields by their names in the form, and in the API, in the order of the form. */
const names = {
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'phone',
  email: 'email',
  company: 'company',
  serviceType: 'service',
  service: 'service',
  location: 'location',
  startDate: 'start_date',
  duration: 'duration',
} as const;

type FormField = keyof typeof names;

/** New values, and those that they replace, by the names of the API. */
type RequestEdit = { from: Record<string, string>; to: Record<string, string> };

export const editRules: Record<RequestItem['kind'], FormRules> = {
  quote: editable(deskRules(edited)),
  message: editable(deskRules(editedMessage)),
};

/** The rules of the fields that can be edited, in the order of the form. */
function editable(rules: FormRules): FormRules {
  const fields = Object.keys(names).flatMap((name) => rules.fields.filter(({ field }) => field === name));
  // A value that visitors cannot choose can be kept.
  const listed = fields.map(({ options, ...rule }) =>
    options ? { ...rule, options: options.map(({ value, label }) => ({ value, label })) } : rule,
  );
  return { ...rules, fields: listed };
}

/** What a request says, by the names of the form. */
export function valuesOf(request: RequestItem): FieldValues {
  const values = editRules[request.kind].fields.map(({ field }) => {
    return [field, request[names[field as FormField]] ?? ''];
  });
  return Object.fromEntries(values);
}

/** What a form changes; `seen` are the values with which it was opened. */
export function editOf(seen: FieldValues, values: FieldValues, unseen: ReadonlySet<string>): RequestEdit {
  const changed = Object.keys(seen).filter((field) => values[field] !== seen[field]);
  const by = (from: FieldValues, fields: string[]) =>
    Object.fromEntries(fields.map((field) => [names[field as FormField], from[field] ?? '']));
  return {
    from: by(
      seen,
      changed.filter((field) => !unseen.has(field)),
    ),
    to: by(values, changed),
  };
}

/** The server's messages by the names of the form. */
export function messagesOf(rules: FormRules, fields: Record<string, string>): FieldValues {
  const found = rules.fields.flatMap(({ field }) => {
    const message = fields[names[field as FormField]];
    return message ? [[field, message]] : [];
  });
  return Object.fromEntries(found);
}

/** The names of edited fields in words. */
export const fieldLabels: Record<string, string> = {
  first_name: 'first name',
  last_name: 'last name',
  phone: 'phone number',
  email: 'email address',
  company: 'company',
  service: 'service',
  location: 'place',
  start_date: 'start date',
  duration: 'duration',
};

const inputs: Record<
  string,
  { type?: 'email' | 'tel' | 'date'; inputMode?: 'email' | 'tel'; hint?: string }
> = {
  phone: { type: 'tel', inputMode: 'tel' },
  email: { type: 'email', inputMode: 'email' },
  startDate: { type: 'date' },
  location: { hint: 'Street address, city or ZIP code of the site' },
};

export function EditForm({ request }: { request: RequestItem }) {
  const { changes, closeForm, focusHeading, open } = useDesk();
  const rules = editRules[request.kind];
  const seen = useRef(valuesOf(request));
  // Fields whose newer value the dispatcher was told of, and replaces.
  const told = useRef(new Set<string>());
  const { form, messages, alert, sending } = useDeskForm({
    keep: `edit ${request.id}`,
    rules,
    initial: seen.current,
    first: request.email ? 'firstName' : 'email',
    // A value that was stored before is not checked again.
    isChecked: (field, value) => value !== seen.current[field],
    send: async (values) => {
      const edited = editOf(seen.current, values, told.current);
      if (Object.keys(edited.to).length > 0) await changes.edit(request, edited);
      close();
    },
    errorsOf: (fields) => {
      const found = messagesOf(rules, fields);
      for (const field of Object.keys(found)) told.current.add(field);
      return found;
    },
  });
  function cancel() {
    forget(`edit ${request.id}`);
    close();
  }
  function close() {
    if (losesFocus(form.ref.current)) focusHeading();
    closeForm('edit');
    open.reload();
  }
  return (
    <form {...form} className="panel-form edit-form" autoComplete="off" aria-label="Edit details">
      {rules.fields.map(({ field }) => (
        <Field key={field} rules={rules} errors={messages} name={field} {...inputs[field]} />
      ))}
      <FieldError role="alert" text={alert} />
      <div className="edit-actions">
        <Button type="submit" look="ink" disabled={sending} title="Ctrl+Enter">
          {sending ? 'Saving' : 'Save'}
        </Button>
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
