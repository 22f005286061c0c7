// Validates raw form values by the rules in seeds/forms: cleaned values, and one error message per
// invalid field. Same behavior as src/domain/form, tested with the shared fixtures in
// seeds/forms/cases.json; seeds/forms/README.md documents the rule format.
import patterns from '@seeds/forms/patterns.json';

/** One check of a field and its error message. */
export type Check = {
  message: string;
  required?: boolean;
  min?: number;
  max?: number;
  match?: string;
  reject?: string;
  one_of?: string;
  date?: boolean;
  not_past?: boolean;
};

/** `unlisted`: a page sends it by itself. */
export type Choice = { value: string; label: string; unlisted?: boolean };

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

/** The result of a submission: a title and a sentence. */
export type Outcome = { title: string; detail: string };

export type FormRules = {
  form: string;
  /** Whether values are checked with their tags too, before those are removed. */
  check_uncleaned?: boolean;
  fields: FieldRule[];
  outcomes: Record<string, Outcome>;
};

/** Strings by field name (camelCase): values, or error messages. */
export type FieldValues = Record<string, string>;

/** The default `max` of a field (specification section 5). */
const defaultMax = 1000;

/**
 * Control and format characters and fillers, except tab, newline and joiners: same as
 * `is_invisible` in src/domain/text/mod.rs.
 */
const invisible = /[^\P{Cf}\u200c\u200d]|[^\P{Cc}\n\t]|[\u3164\uffa0]/gu;

/** Factor by which raw text may exceed `max`, because cleaning removes tags. */
const rawMultiple = 10;

/** The cleaned value of a field, which is validated, sent and stored. */
export function clean(rule: FieldRule, raw: string): string {
  if (rule.secret) return raw;
  if (rule.boolean) return String(['true', 'on', '1'].includes(raw));
  return cleanText(readable(rule, raw), rule.multiline);
}

/** The value of a phone number or an address as documents and mail programs write it. */
export function readable(rule: FieldRule, raw: string): string {
  const format = rule.checks.find(({ match }) => match)?.match;
  if (format === 'email') return bareAddress(raw);
  return format?.endsWith('phone') ? plainSeparators(raw) : raw;
}

/** The address of `Ana Díaz <ana@dock.example>` or `mailto:ana@dock.example`. */
const bareAddress = (text: string) =>
  text.replace(/^[^<>]*<([^<> ]*@[^<> ]*)>[ ,;]*$/, '$1').replace(/^ *(?:mailto:)?/i, '');

/** A phone number as documents write it, with the hyphens and spaces of a keyboard. */
const plainSeparators = (phone: string) =>
  phone.replace(/[\u2010-\u2015\u2212]/g, '-').replace(/[\xa0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');

/**
 * Cleans text that a visitor typed, in linear time, as `clean` in src/domain/text/mod.rs does.
 */
export function cleanText(raw: string, multiline?: boolean): string {
  return stripTags(taggedText(raw, multiline)).trim();
}

/** An address or a link in angle brackets: without them it is never an element. */
const bracketedLink =
  /<{1,2}(?:mailto:)?([a-z][\w.!#$%&'*+^`{|}~-]*@[a-z0-9.-]+|(?:https?:\/\/|www[.])[^ \t\n<>"'`]+)>{1,2}/gi;

/** Removes the brackets around addresses and links, as mail programs write them. */
export const unwrapLinks = (text: string) => text.replace(bracketedLink, '$1');

/** The text without invisible characters, with its tags. */
function taggedText(raw: string, multiline?: boolean): string {
  let text = raw.replace(/\r\n?|[\x85\u2028\u2029]/g, '\n');
  if (!multiline) text = text.replace(/[\n\t]/g, ' ');
  return unwrapLinks(text.replace(invisible, '').trim());
}

/**
 * Removes HTML tags (`</?[A-Za-z!][^<>]*>`) until none is left, in one pass: removing a tag can
 * only complete a tag that starts before it, and a `>` that is kept closes all open ones.
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

/**
 * A field's cleaned value, and its error message if it is invalid. Raw text over the limit is not
 * cleaned.
 */
export function validateField(
  rule: FieldRule,
  raw: string,
  today = localToday(),
  uncleaned?: boolean,
): [value: string, message: string | undefined] {
  const limit = rule.checks.find(({ max }) => max);
  const tooLongMessage = (limit ?? rule.checks.at(-1))?.message;
  if (tooLongMessage && [...raw].length > rawMultiple * (limit?.max ?? defaultMax))
    return [raw, tooLongMessage];
  const value = clean(rule, raw);
  // Only what cleaning removes can be refused before and accepted after it.
  const lost = uncleaned && value !== taggedText(readable(rule, raw), rule.multiline);
  const refusal = lost && rule.checks.find(({ match, reject }) => match || reject);
  return [value, refusal ? refusal.message : firstError(rule, value, today)];
}

/** The message of the first failed check of a cleaned value; `today` is a date, `YYYY-MM-DD`. */
export function firstError(rule: FieldRule, value: string, today = localToday()): string | undefined {
  if (rule.optional && !value) return undefined;
  return rule.checks.find((check) => !passes(rule, check, value, today))?.message;
}

/** Today where the visitor is, `YYYY-MM-DD`, as Sweden writes it. */
export function localToday(): string {
  return new Date().toLocaleDateString('sv');
}

function passes(rule: FieldRule, check: Check, value: string, today: string): boolean {
  if (check.required) return value !== '';
  if (check.min) return [...value].length >= check.min;
  if (check.max) return [...value].length <= check.max;
  if (check.match) return pattern(check.match).test(value);
  if (check.reject) return !pattern(check.reject).test(value);
  if (check.one_of) return (rule.options ?? []).some((choice) => choice.value === value);
  if (check.not_past) return value >= today;
  // An invalid date, such as February 30, parses to another date or to null.
  return !check.date || (/^\d{4}-..-..$/.test(value) && `${new Date(value).toJSON()}`.startsWith(value));
}

/** A pattern of seeds/forms/patterns.json; the server rejects unknown names at startup. */
export function pattern(name: string, flags = ''): RegExp {
  return new RegExp(patterns[name as keyof typeof patterns], `u${flags}`);
}

/** Cleans and checks every field; a missing field counts as empty. */
export function validate(
  form: FormRules,
  raw: FieldValues,
  today?: string,
): { values: FieldValues; errors: FieldValues } {
  const values: FieldValues = {};
  const errors: FieldValues = {};
  for (const rule of form.fields) {
    const [value, message] = validateField(rule, raw[rule.field] ?? '', today, form.check_uncleaned);
    values[rule.field] = value;
    if (message) errors[rule.field] = message;
  }
  return { values, errors };
}
