// The form of a request by phone: the rules of the quote form, with the exceptions of
// seeds/forms/phone.json. The server builds it in the same way (src/domain/form/rules.rs).
import phone from '@seeds/forms/phone.json';
import quote from '@seeds/forms/quote.json';
import type { FieldValues, FormRules } from '../../forms/rules';

const labels: Record<string, string> = phone.labels;

export const phoneRules: FormRules = {
  ...quote,
  form: phone.form,
  fields: (quote as FormRules).fields
    // The trap is for programs.
    .filter(({ label }) => label)
    .map((rule) => ({
      ...rule,
      label: labels[rule.field] ?? rule.label,
      ...(phone.optional.includes(rule.field) ? { optional: true } : {}),
    })),
  outcomes: phone.outcomes,
};

/** `firstName` is `first_name` in the API. */
const keyOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The body of the API's call; a checkbox is true or false. */
export function phoneBody(values: FieldValues): Record<string, string | boolean> {
  return Object.fromEntries(
    phoneRules.fields.map(({ field, boolean }) => {
      const value = values[field] ?? '';
      return [keyOf(field), boolean ? value === 'true' : value];
    }),
  );
}

/** The server's messages by the names of the form's fields. */
export function phoneErrors(fields: Record<string, string>): FieldValues {
  return Object.fromEntries(
    phoneRules.fields.flatMap(({ field }) => {
      const message = fields[keyOf(field)];
      return message ? [[field, message]] : [];
    }),
  );
}
