// Reads the form rules in seeds/forms and judges raw strings by them: cleaned values, and one message for each refused
// field. The twin of src/domain/form.rs; seeds/forms/cases.json proves them equal, seeds/forms/README.md is the vocabulary.
import patterns from '@seeds/forms/patterns.json';

/** One check of a field and the sentence it says when it fails. */
export type Check = {
  say: string;
  required?: boolean;
  min?: number;
  max?: number;
  match?: string;
  refuse?: string;
  one_of?: string;
  date?: boolean;
};

export type Choice = { value: string; label: string };

export type FieldRule = {
  field: string;
  label: string;
  checks: Check[];
  options?: Choice[];
  optional?: boolean;
  free_text?: boolean;
  multiline?: boolean;
  secret?: boolean;
  boolean?: boolean;
};

/** How a submission went, in a title and a sentence. */
export type Outcome = { title: string; detail: string };

export type FormRules = { form: string; fields: FieldRule[]; outcomes: Record<string, Outcome> };

/** Texts by field name (camelCase): values, or messages. */
export type Texts = Record<string, string>;

/** What a field holds after cleaning, which is what is checked, sent and stored. */
export function clean(rule: FieldRule, raw: string): string {
  if (rule.secret) return raw;
  if (rule.boolean) return String(['true', 'on', '1'].includes(raw));
  let text = raw.replace(/\r\n?/g, '\n');
  if (!rule.multiline) text = text.replace(/[\n\t]/g, ' ');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are dropped
  text = text.replace(/[\0-\x08\x0b-\x1f\x7f]/g, '');
  return stripTags(text).replace(/^[ \t\n\u00a0]+|[ \t\n\u00a0]+$/g, '');
}

/** Removes HTML tags, again until none is left. */
export function stripTags(text: string): string {
  const less = text.replace(/<\/?[A-Za-z!][^<>]*>/g, '');
  return less === text ? text : stripTags(less);
}

/** The message of the first check that a cleaned value fails. */
export function refusal(rule: FieldRule, value: string): string | undefined {
  if (rule.optional && value === '') return undefined;
  return rule.checks.find((check) => !holds(rule, check, value))?.say;
}

function holds(rule: FieldRule, check: Check, value: string): boolean {
  if (check.required) return value !== '';
  if (check.min !== undefined) return [...value].length >= check.min;
  if (check.max !== undefined) return [...value].length <= check.max;
  if (check.match) return pattern(check.match).test(value);
  if (check.refuse) return !pattern(check.refuse).test(value);
  if (check.one_of) return (rule.options ?? []).some((choice) => choice.value === value);
  if (check.date) return isDay(value);
  throw new Error(`the check that says "${check.say}" checks nothing`);
}

/** A pattern of seeds/forms/patterns.json by its name. */
export function pattern(name: string, flags = ''): RegExp {
  const source = (patterns as Texts)[name];
  if (!source) throw new Error(`there is no pattern "${name}"`);
  return new RegExp(source, `u${flags}`);
}

function isDay(value: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** Cleans and checks every field; a missing one counts as empty. No errors means the values may be sent. */
export function judge(form: FormRules, raw: Texts): { values: Texts; errors: Texts } {
  const values: Texts = {};
  const errors: Texts = {};
  for (const rule of form.fields) {
    const value = clean(rule, raw[rule.field] ?? '');
    const message = refusal(rule, value);
    values[rule.field] = value;
    if (message !== undefined) errors[rule.field] = message;
  }
  return { values, errors };
}
