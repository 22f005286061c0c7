// What a section of the content consists of (seeds/content.json), and how its values are made and
// changed. The server checks every section by the same file.

import sections from '@seeds/content.json';
import states from '@seeds/site/states.json?pick=slug,name,code';

export type Shape = {
  type:
    | 'object'
    | 'list'
    | 'text'
    | 'number'
    /** A number as text: dollars, percent or hours. */
    | 'amount'
    | 'time'
    | 'flag'
    | 'date'
    | 'choice'
    | 'slug'
    | 'sample'
    | 'picture'
    | 'fixed';
  fields?: Field[];
  of?: Shape;
  /** Least length, entries or number. */
  min?: number;
  max?: number;
  fixed?: boolean;
  /** What one entry of a list is called. */
  one?: string;
  lines?: boolean;
  /** May have line breaks, bold words and links (ui/marked.tsx). */
  markup?: boolean;
  /** A picture that is shown as a whole, not cut. */
  whole?: boolean;
  /** A picture that is shown as a small square. */
  portrait?: boolean;
  choices?: Choice[] | 'states' | 'state_codes' | undefined;
  /** The title of an entry of a list, in place of its name. */
  nameOf?(entry: Record<string, unknown>): string;
};

export type Choice = { value: string; label: string };

export type Field = Shape & {
  key: string;
  label: string;
  optional?: boolean;
  /** An entry of a list is called by this field; without one, by its first words. */
  is_name?: boolean;
};

export type Section = Shape & { key: string; title: string; hint: string };

export const shapes = sections as Section[];

/** A place in a section: keys and positions. */
export type Path = readonly (string | number)[];

/** A JSON pointer (RFC 6901), as the server names places. */
export const pointer = (path: Path): string => path.map((step) => `/${step}`).join('');

/** The id of the control of a field. */
export const idAt = (place: string): string => `site${place.replaceAll('/', '-')}`;

type Json = Record<string | number, unknown>;

/** The value with another one at `path`. */
export function withValue(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as Json) }) as Json;
  copy[step] = withValue(copy[step], rest, next);
  return copy;
}

/** An entry for a visitor of the form to fill in. */
export function blank(shape: Shape): unknown {
  switch (shape.type) {
    case 'object':
      return Object.fromEntries((shape.fields ?? []).map((field) => [field.key, blankField(field)]));
    case 'list':
      return Array.from({ length: shape.min ?? 0 }, () => blank(shape.of as Shape));
    case 'number':
      return shape.min;
    case 'flag':
    case 'sample':
      return false;
    case 'choice':
      return Array.isArray(shape.choices) ? choicesOf(shape)[0]?.value : '';
    case 'slug':
      return `entry-${crypto.randomUUID().slice(0, 8)}`;
    case 'date':
      return new Date().toISOString().slice(0, 10);
    default:
      return '';
  }
}

function blankField(field: Field): unknown {
  return field.optional ? null : blank(field);
}

/** The options of a choice. */
export function choicesOf({ choices }: Shape): Choice[] {
  if (choices === 'state_codes') return states.map(({ code, name }) => ({ value: code, label: name }));
  if (choices === 'states') return states.map(({ slug, name }) => ({ value: slug, label: name }));
  return choices ?? [];
}

const isWords = ({ type }: Shape) => type === 'text' || type === 'choice';

/** What an entry is called in its list: its name, else its first words, else "New client". */
export function entryTitle(value: unknown, list: Shape): string {
  const entry = value as Record<string, unknown>;
  if (list.nameOf) return list.nameOf(entry);
  const fields = list.of?.fields ?? [];
  const field = fields.find(({ is_name }) => is_name) ?? fields.find(isWords);
  const name = field && String(entry[field.key] ?? '');
  const label = field && choicesOf(field).find((one) => one.value === name)?.label;
  return label || name || `New ${list.one}`;
}

/** The list with the entry at `from` at `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, nth) => nth !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}

/** What every part of the form gets. */
export type Editing = {
  /** The broken rules, by JSON pointer. */
  faults: Record<string, string>;
  change(path: Path, value: unknown): void;
  /** The place of a field to lead to: the parts around it start open. */
  sought?: string;
  /** Says which entry of a list is open, so that the preview can show its page. */
  opened?(path: Path): void;
  /** Why the last file of a picture was refused, by JSON pointer. */
  refused?: Record<string, string>;
  /** Sets why, or forgets it without `why`. */
  refuse?(path: Path, why?: string): void;
  /** Saving and publishing wait for this. */
  waitFor?(job: Promise<unknown>): void;
  /** A sample cannot be changed until its mark is taken off. */
  disabled?: boolean;
};

/** The message of a fault: a sentence, or the rest of one about `what`. */
export function faultText(what: string, fault: string | undefined): string {
  if (!fault) return '';
  return /^[A-Z]/.test(fault) ? fault : `${what} ${fault}.`;
}

/** Whether a line of a text is marked as a sample, as in src/domain/text/sample.rs. */
export const isSampleText = (text: string): boolean =>
  text
    .split('\n')
    .some((line) => /^\s*sample\s*([:–—-]|$)/i.test(line) || line.toLowerCase().includes('[sample]'));

/** The title of a section. */
export function titleOf(key: string): string {
  return shapes.find((one) => one.key === key)?.title ?? key;
}
