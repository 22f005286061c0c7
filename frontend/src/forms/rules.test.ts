// The referee's cases, which the server's tests run too, and the promises of the rules files themselves.
import cases from '@seeds/forms/cases.json';
import contact from '@seeds/forms/contact.json';
import quote from '@seeds/forms/quote.json';
import signIn from '@seeds/forms/sign-in.json';
import { describe, expect, it } from 'vitest';
import { type FieldValues, type FormRules, validate } from './rules';

const forms: Record<string, FormRules> = { contact, quote, 'sign-in': signIn };

describe.each(Object.keys(forms))('the %s form', (name) => {
  const form = forms[name] as FormRules;
  const own = cases.filter((one) => one.form === name);

  it.each(own.map((one) => [one.name, one] as const))('%s', (_, { input, values, errors }) => {
    const judged = validate(form, input as FieldValues);
    expect(judged.errors).toEqual(errors);
    if (values) expect(judged.values).toEqual(values);
  });

  it('has a case for every message', () => {
    const said = new Set(
      own.flatMap(({ errors }) => Object.entries(errors).map(([field, say]) => `${field}: ${say}`)),
    );
    const sayable = form.fields.flatMap(({ field, checks }) => checks.map(({ say }) => `${field}: ${say}`));
    expect(sayable.filter((message) => !said.has(message))).toEqual([]);
  });
});
