// Runs the fixtures that the server tests share (seeds/forms/cases.json), and checks the rule
// files.
import cases from '@seeds/forms/cases.json';
import contact from '@seeds/forms/contact.json';
import quote from '@seeds/forms/quote.json';
import signIn from '@seeds/forms/sign-in.json';
import { describe, expect, it } from 'vitest';
import { type FieldValues, type FormRules, validate } from './rules';

type Case = {
  form: string;
  name: string;
  input: object;
  values: FieldValues | null;
  errors: FieldValues;
  today?: string;
};

const forms: Record<string, FormRules> = { contact, quote, 'sign-in': signIn };

describe.each(Object.keys(forms))('the %s form', (name) => {
  const form = forms[name] as FormRules;
  const ownCases = (cases as unknown as Case[]).filter((one) => one.form === name);

  it.each(ownCases.map((one) => [one.name, one] as const))('%s', (_, { input, values, errors, today }) => {
    const result = validate(form, input as FieldValues, today ?? '');
    expect(result.errors).toEqual(errors);
    if (values) expect(result.values).toMatchObject(values);
  });

  it('has a case for every message', () => {
    const tested = new Set(
      ownCases.flatMap(({ errors }) =>
        Object.entries(errors).map(([field, message]) => `${field}: ${message}`),
      ),
    );
    const possible = form.fields.flatMap(({ field, checks }) =>
      checks.map(({ message }) => `${field}: ${message}`),
    );
    expect(possible.filter((message) => !tested.has(message))).toEqual([]);
  });
});
