// The form that corrects what a request says: its rules, and the values by the names of the API.
import edited from '@seeds/forms/edited.json';
import editedMessage from '@seeds/forms/edited-message.json';
import type { RequestItem } from '../../../api/inbox';
import type { FieldValues, FormRules } from '../../../forms/rules';
import { deskRules } from '../desk-form';

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
export type RequestEdit = { from: Record<string, string>; to: Record<string, string> };

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
