// Runs the fixtures that the server tests share (seeds/forms/cases.json), and checks the rule
// files.
import cases from '@seeds/forms/cases.json';
import contact from '@seeds/forms/contact.json';
import quote from '@seeds/forms/quote.json';
import signIn from '@seeds/forms/sign-in.json';
import { describe, expect, it } from 'vitest';
import { type FieldValues, type FormRules, validate } from './rules';

const forms: Record<string, FormRules> = { contact, quote, 'sign-in': signIn };

describe.each(Object.keys(forms))('the %s form', (name) => {
  const form = forms[name] as FormRules;
  const ownCases = cases.filter((one) => one.form === name);

  it.each(ownCases.map((one) => [one.name, one] as const))('%s', (_, { input, values, errors }) => {
    const result = validate(form, input as FieldValues);
    expect(result.errors).toEqual(errors);
    if (values) expect(result.values).toEqual(values);
  });

  it('has a case for every message', () => {
    const tested = new Set(
      ownCases.flatMap(({ errors }) => Object.entries(errors).map(([field, say]) => `${field}: ${say}`)),
    );
    const possible = form.fields.flatMap(({ field, checks }) => checks.map(({ say }) => `${field}: ${say}`));
    expect(possible.filter((message) => !tested.has(message))).toEqual([]);
  });
});
