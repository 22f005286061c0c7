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
export type FieldValues = Record<string, string>;

/** `max` of a field that has none (specification section 5). */
const defaultMax = 1000;

/** Control and format characters and fillers, without tab, newline and joiners: `is_invisible` in src/domain/text.rs. */
const invisible = /[^\P{Cf}\u200c\u200d]|[^\P{Cc}\n\t]|[\u3164\uffa0]/gu;

/** How much longer than `max` a raw text may be, in multiples of it: tags are removed by cleaning. */
const rawMultiple = 10;

/** What a field holds after cleaning, which is what is checked, sent and stored. */
export function clean(rule: FieldRule, raw: string): string {
  if (rule.secret) return raw;
  if (rule.boolean) return String(['true', 'on', '1'].includes(raw));
  return cleanText(raw, rule.multiline);
}

/** What is kept of a text that a visitor typed, in linear time. The twin of `clean` in src/domain/text.rs. */
export function cleanText(raw: string, multiline?: boolean): string {
  let text = raw.replace(/\r\n?|[\x85\u2028\u2029]/g, '\n');
  if (!multiline) text = text.replace(/[\n\t]/g, ' ');
  return stripTags(text.replace(invisible, '')).trim();
}

/**
 * Removes HTML tags (`</?[A-Za-z!][^<>]*>`) until none is left, in one pass: a removed tag can only complete one whose
 * `<` stands before it, and a `>` that stays ends all that are open.
 */
export function stripTags(text: string): string {
  const output: string[] = [];
  let open: number[] = [];
  for (const character of text) {
    if (character === '<') open.push(output.length);
    output.push(character);
    if (character !== '>') continue;
    const at = open.pop() ?? output.length;
    if (/^\/?[a-z!]/i.test(output.slice(at + 1, at + 3).join(''))) output.length = at;
    else open = [];
  }
  return output.join('');
}

/** A field's cleaned value, and its message if it is refused. A text that is too long raw is not cleaned at all. */
export function validateField(rule: FieldRule, raw: string): [value: string, message: string | undefined] {
  const limit = rule.checks.find(({ max }) => max);
  const tooLongMessage = (limit ?? rule.checks.at(-1))?.say;
  if (tooLongMessage && [...raw].length > rawMultiple * (limit?.max ?? defaultMax))
    return [raw, tooLongMessage];
  const value = clean(rule, raw);
  return [value, firstError(rule, value)];
}

/** The message of the first check that a cleaned value fails. */
export function firstError(rule: FieldRule, value: string): string | undefined {
  if (rule.optional && !value) return undefined;
  return rule.checks.find((check) => !passes(rule, check, value))?.say;
}

function passes(rule: FieldRule, check: Check, value: string): boolean {
  if (check.required) return value !== '';
  if (check.min) return [...value].length >= check.min;
  if (check.max) return [...value].length <= check.max;
  if (check.match) return pattern(check.match).test(value);
  if (check.refuse) return !pattern(check.refuse).test(value);
  if (check.one_of) return (rule.options ?? []).some((choice) => choice.value === value);
  // A day that is none, as February 30, becomes another day or null.
  return !check.date || (/^\d{4}-..-..$/.test(value) && `${new Date(value).toJSON()}`.startsWith(value));
}

/** A pattern of seeds/forms/patterns.json by its name; the server does not start with a name that is not there. */
export function pattern(name: string, flags = ''): RegExp {
  return new RegExp(patterns[name as keyof typeof patterns], `u${flags}`);
}

/** Cleans and checks every field; a missing one counts as empty. No errors means the values may be sent. */
export function validate(form: FormRules, raw: FieldValues): { values: FieldValues; errors: FieldValues } {
  const values: FieldValues = {};
  const errors: FieldValues = {};
  for (const rule of form.fields) {
    const [value, message] = validateField(rule, raw[rule.field] ?? '');
    values[rule.field] = value;
    if (message) errors[rule.field] = message;
  }
  return { values, errors };
}
