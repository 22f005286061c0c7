// Numbers of the tables as texts, and tables as lookups.
import type { Figures, FiguresTable } from '../../api/figures';
import { dayText } from '../offers/words';

/** The table with this key; empty if the server has none. */
export function tableOf(figures: Figures, key: string): FiguresTable {
  return figures.tables.find((table) => table.key === key) ?? { key, columns: [], rows: [] };
}

/** A number of a table; null if there is none. */
export function numberOf(table: FiguresTable, value: string, column: string): number | null {
  const row = table.rows.find((known) => known.value === value);
  return row?.numbers[table.columns.indexOf(column)] ?? null;
}

/** The numbers of one column, in the order of the rows. */
export function columnOf(table: FiguresTable, column: string): number[] {
  const index = table.columns.indexOf(column);
  return table.rows.map(({ numbers }) => numbers[index] ?? 0);
}

/** A number of a column as text: dollars by `_cents`, times by `_minutes`, `–` if there is none. */
export function numberText(column: string, number: number | null | undefined): string {
  if (number === null || number === undefined) return '–';
  if (column.endsWith('_cents')) return money(number);
  return column.endsWith('_minutes') ? minutesText(number) : number.toLocaleString('en-US');
}

function money(cents: number): string {
  return (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 0,
  });
}

/** `45 min`, `3 h 20 min`, `2 d 4 h`. */
export function minutesText(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  const [unit, small, size] = minutes < 48 * 60 ? ['h', 'min', 60] : ['d', 'h', 24 * 60];
  const rest = Math.floor((minutes % (size as number)) / ((size as number) / (small === 'h' ? 24 : 60)));
  return `${Math.floor(minutes / (size as number))} ${unit}${rest ? ` ${rest} ${small}` : ''}`;
}

/** `82%` of a whole, or undefined of nothing. */
export function shareText(part: number | null, whole: number | null): string | undefined {
  return whole ? `${Math.round(((part ?? 0) / whole) * 100)}%` : undefined;
}

/** The days of a period, as `Nov 16 – Nov 22, 2026`. */
export function daysText(from: string, to: string): string {
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  if (from === to) return dayText(to);
  return `${dayText(from, !isOneYear)} – ${dayText(to)}`;
}

/** Days that are drawn one by one; a longer period is drawn by weeks. */
const maxDays = 92;

export type Point = { day: string; value: number };

/**
 * A column of days as points of a line: by day, or by weeks of a long period. The weeks end with
 * the period, so that no part of a week at its end looks like a fall.
 */
export function series(table: FiguresTable, column: string): Point[] {
  const values = columnOf(table, column);
  const step = values.length > maxDays ? 7 : 1;
  const points: Point[] = [];
  const first = values.length % step || step;
  for (let end = first; end <= values.length; end += step) {
    const at = Math.max(0, end - step);
    const value = values.slice(at, end).reduce((sum, next) => sum + next, 0);
    points.push({ day: table.rows[at]?.value ?? '', value });
  }
  return points;
}
