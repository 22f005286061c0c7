// Where the form shows what the server has found wrong: the server names a field of the rates, as
// `card.classes.armed.rate_cents`.
import { pointer } from '../site/shape';
import type { FormFaults, RatesForm } from './form';

/** Fields that have another name in the form. */
const names: Record<string, string> = {
  rate_cents: 'rate',
  minimum_minutes: 'minimum',
  cents: 'price',
  basis_points: 'part',
};

const single: Record<string, string[]> = {
  'card.night.cents': ['extras', 'night'],
  'card.weekend_basis_points': ['extras', 'weekend'],
  'card.holiday_basis_points': ['extras', 'holiday'],
  'card.travel_cents': ['extras', 'travel'],
  'card.supervisor.class': ['staffing', 'class'],
  'card.relief_minutes': ['staffing', 'relief'],
  'card.round_to_cents': ['staffing', 'round'],
  'card.overtime.federal': ['overtime', 'everywhere', 'weekly'],
};

/** The pointer of a field of the rates; that of the texts or the classes if it has none. */
export function placeOf(field: string, form: RatesForm): string {
  const known = single[field];
  if (known) return pointer(known);
  const [first = '', part = '', key = '', ...rest] = field.split('.');
  if (first !== 'card') return pointer(['texts', ...field.split('.')]);
  const leaf = rest.map((name) => names[name] ?? name);
  const nth = (list: Record<string, unknown>[], name: string) =>
    Math.max(
      0,
      list.findIndex((entry) => entry[name] === key),
    );
  switch (part) {
    case 'overrides':
      return key ? pointer(['rates', 'overrides', key, ...leaf]) : '/rates/overrides';
    case 'holidays':
      return key ? pointer(['holidays', 'days', key, ...(leaf.length ? leaf : ['month'])]) : '/holidays/days';
    case 'short_notice':
      return pointer(['short_notice', ...(key ? [key] : []), ...leaf]);
    case 'equipment':
      return key
        ? pointer(['equipment', 'list', nth(form.equipment.list, 'key'), ...leaf])
        : '/equipment/list';
    case 'taxes':
      return pointer(['taxes', 'list', nth(form.taxes.list, 'state'), ...(leaf.length ? leaf : ['state'])]);
    case 'overtime': {
      const at = form.overtime.states.findIndex(({ state }) => state === rest[0]);
      return pointer(['overtime', 'states', Math.max(0, at), 'state']);
    }
    default:
      return key ? pointer(['rates', 'classes', nth(form.rates.classes, 'key'), ...leaf]) : '/rates/classes';
  }
}

/** The server's messages by their places in the form. */
export function placed(fields: Record<string, string>, form: RatesForm): FormFaults {
  return Object.fromEntries(Object.entries(fields).map(([field, text]) => [placeOf(field, form), text]));
}
