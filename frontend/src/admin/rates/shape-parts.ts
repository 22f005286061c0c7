// The parts of the form of the rates.
import { capital, weekdays as days } from '../offers/words';
import type { Field, Shape } from '../site/shape';

export const text = (key: string, label: string, max: number, more: Partial<Field> = {}): Field => ({
  key,
  label,
  type: 'text',
  max,
  ...more,
});
export const amount = (key: string, label: string): Field => ({ key, label, type: 'amount' });
export const number = (key: string, label: string, more: Partial<Field> = {}): Field => ({
  key,
  label,
  type: 'number',
  min: 0,
  ...more,
});
export const time = (key: string, label: string): Field => ({ key, label, type: 'time' });
export const choice = (key: string, label: string, choices: Shape['choices'], optional = false): Field => ({
  key,
  label,
  type: 'choice',
  choices,
  optional,
});
export const group = (key: string, label: string, fields: Field[]): Field => ({
  key,
  label,
  type: 'object',
  fields,
});
export const list = (
  key: string,
  label: string,
  one: string,
  max: number,
  fields: Field[],
  more: Partial<Field> = {},
): Field => ({
  key,
  label,
  type: 'list',
  one,
  max,
  of: { type: 'object', fields },
  ...more,
});

/** A part of a text with its heading. */
export const paragraph = [text('title', 'Heading', 200), text('text', 'Text', 4000, { lines: true })];

export const units = [
  { value: 'hour', label: 'Hour' },
  { value: 'visit', label: 'Visit' },
  { value: 'seat', label: 'Seat and day' },
];
export const weekdays = days.map((value) => ({ value, label: capital(value) }));

export const tiers = (key: string, label: string, max: number) =>
  list(key, label, 'rule', max, [amount('over', 'Over how many hours'), amount('part', 'Added (%)')], {
    nameOf: (entry) => `Over ${entry.over || '…'} h: +${entry.part || '…'}%`,
  });

export const overtime = [
  tiers('daily', 'By day', 5),
  tiers('seventh_day', 'On the seventh day in a row', 5),
  tiers('weekly', 'By week', 1),
];
