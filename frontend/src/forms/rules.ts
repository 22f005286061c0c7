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

/** `max` of a field that has none (specification section 5). */
const defaultMax = 1000;

/** How much longer than `max` a raw text may be, in multiples of it: tags are removed by cleaning. */
const rawMultiple = 10;

/** What a field holds after cleaning, which is what is checked, sent and stored. */
export function clean(rule: FieldRule, raw: string): string {
  if (rule.secret) return raw;
  if (rule.boolean) return String(['true', 'on', '1'].includes(raw));
  return cleanText(raw, rule.multiline);
}

/** What is kept of a text that a visitor typed, in linear time. The twin of `clean` in src/domain/text.rs. */
export function cleanText(raw: string, multiline = false): string {
  let text = raw.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  if (!multiline) text = text.replace(/[\n\t]/g, ' ');
  return trim(stripTags(text.replace(pattern('invisible', 'g'), '')));
}

/** Not by a pattern: `[ ]+$` looks at a gap in the text once for each of its spaces. */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (start < end && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character !== undefined && ' \t\n\u00a0'.includes(character);
}

/**
 * Removes HTML tags (`</?[A-Za-z!][^<>]*>`) until none is left, in one pass: a removed tag can only complete one whose
 * `<` stands before it, and a `>` that stays ends all that are open.
 */
export function stripTags(text: string): string {
  if (!text.includes('<')) return text;
  const kept: string[] = [];
  const open: number[] = [];
  for (const character of text) {
    if (character === '<') open.push(kept.length);
    kept.push(character);
    if (character !== '>') continue;
    const at = open.pop();
    if (at !== undefined && beginsTag(kept, at)) kept.length = at;
    else open.length = 0;
  }
  return kept.join('');
}

function beginsTag(kept: string[], at: number): boolean {
  const first = kept[at + 1] === '/' ? kept[at + 2] : kept[at + 1];
  return /^[A-Za-z!]$/.test(first ?? '');
}

/** A field's cleaned value, and its message if it is refused. A text that is too long raw is not cleaned at all. */
export function judgeField(rule: FieldRule, raw: string): { value: string; message: string | undefined } {
  const message = overlong(rule, raw);
  if (message !== undefined) return { value: raw, message };
  const value = clean(rule, raw);
  return { value, message: refusal(rule, value) };
}

function overlong(rule: FieldRule, raw: string): string | undefined {
  if (rule.secret || rule.boolean) return undefined;
  const limited = rule.checks.find(({ max }) => max !== undefined);
  const most = rawMultiple * (limited?.max ?? defaultMax);
  if (raw.length <= most || [...raw].length <= most) return undefined;
  return (limited ?? rule.checks.at(-1))?.say ?? 'Invalid input';
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
    const { value, message } = judgeField(rule, raw[rule.field] ?? '');
    values[rule.field] = value;
    if (message !== undefined) errors[rule.field] = message;
  }
  return { values, errors };
}
