// What the form of the rates consists of, for the shape-driven form of the site's editor.
import type { Shape } from '../site/shape';
import type { RatesForm } from './form';
import {
  amount,
  choice,
  group,
  list,
  number,
  overtime,
  paragraph,
  text,
  time,
  units,
  weekdays,
} from './shape-parts';

/** A class, which has a row of a table in the form. */
export const classShape: Shape = {
  type: 'object',
  fields: [
    { key: 'key', label: 'Key', type: 'slug' },
    text('title', 'Name', 60),
    choice('unit', 'Charged by', units),
    amount('rate', 'Rate ($)'),
    amount('minimum', 'Shortest shift that is charged (hours)'),
  ],
};

/** What the form has below the table of classes. */
export function belowClasses(form: RatesForm): Shape {
  const shape = ratesShape(form);
  const fields = shape.fields?.map((field) =>
    field.key === 'rates'
      ? group(
          'rates',
          'Other rates by place',
          (field.fields ?? []).filter(({ key }) => key !== 'classes').map((one) => ({ ...one, label: '' })),
        )
      : field,
  );
  return { ...shape, fields: fields ?? [] };
}

/** The classes of the form are the choices of its other fields. */
export function ratesShape({ rates }: RatesForm): Shape {
  const classes = rates.classes.map(({ key, title }) => ({ value: key, label: title || 'New class' }));
  return {
    type: 'object',
    fields: [
      group('rates', 'Rates', [
        list('classes', 'Classes', 'class', 50, classShape.fields ?? []),
        list(
          'overrides',
          'Other rates by place',
          'place',
          500,
          [
            choice('class', 'Class', classes),
            choice('state', 'State', 'state_codes'),
            text('city', 'City (all of the state if empty)', 60, { optional: true }),
            amount('rate', 'Rate ($)'),
          ],
          {
            nameOf: (entry) => {
              const title = classes.find(({ value }) => value === entry.class)?.label ?? 'New place';
              return `${title}, ${[entry.city, entry.state].filter(Boolean).join(', ') || '…'}: $${entry.rate || '…'}`;
            },
          },
        ),
      ]),
      group('extras', 'Nights, weekends, holidays, travel', [
        time('from', 'The night begins'),
        time('to', 'The night ends'),
        amount('night', 'Added at night ($ an hour)'),
        amount('weekend', 'Added on weekends (%)'),
        amount('holiday', 'Added on holidays, in place of the weekend’s (%)'),
        amount('travel', 'Travel ($ for each officer and shift)'),
      ]),
      group('holidays', 'Holidays', [
        list('days', '', 'holiday', 60, [
          text('title', 'Name', 60),
          number('month', 'Month (1 to 12)', { min: 1 }),
          number('day', 'Day (empty if it moves)', { optional: true }),
          choice('weekday', 'Weekday, if it moves', weekdays, true),
          number('nth', 'Which one in the month (1 to 5; −1 is the last)', { optional: true }),
        ]),
      ]),
      group('short_notice', 'Short notice', [
        number('days', 'For how many first days'),
        list(
          'tiers',
          'The shortest notice first',
          'rule',
          10,
          [number('under_hours', 'Under how many hours'), amount('part', 'Added (%)')],
          { nameOf: (entry) => `Under ${entry.under_hours ?? '…'} h: +${entry.part || '…'}%` },
        ),
      ]),
      group('staffing', 'Supervisors, shifts, rounding', [
        number('from_officers', 'Supervisor included from this many officers (0: never)'),
        choice('class', 'Class of the supervisor', classes),
        amount('relief', 'Longest shift of an officer around the clock (hours)'),
        amount('round', 'Round added amounts to ($)'),
      ]),
      group('overtime', 'Overtime', [
        group('everywhere', 'Everywhere', overtime),
        list('states', 'States with other rules', 'state', 50, [
          choice('state', 'State', 'state_codes'),
          ...overtime,
        ]),
      ]),
      group('equipment', 'Equipment', [
        list('list', '', 'item', 100, [
          { key: 'key', label: 'Key', type: 'slug' },
          text('title', 'Name', 60),
          amount('price', 'Price ($)'),
          choice('per', 'Charged', [
            { value: 'day', label: 'Each day' },
            { value: 'once', label: 'Once' },
          ]),
        ]),
      ]),
      group('taxes', 'Sales tax', [
        list('list', '', 'state', 50, [
          choice('state', 'State', 'state_codes'),
          text('title', 'Name on the offer', 60),
          amount('part', 'Rate (%)'),
        ]),
      ]),
      group('texts', 'Insurance, validity, conditions, consent', [
        text('insurance', 'Insurance line (optional)', 200),
        number('valid_days', 'Days that an offer is valid', { min: 1 }),
        list('conditions', 'Conditions', 'condition', 40, paragraph, { min: 1 }),
        group('consent', 'Consent to electronic signing', [
          text('text', 'Words beside the box', 4000, { lines: true }),
          list('disclosures', 'Disclosures', 'disclosure', 40, paragraph, { min: 1 }),
        ]),
        text(
          'confirmed_by',
          'Lawyer who has confirmed conditions, consent and sales tax (empty: none yet)',
          80,
        ),
      ]),
    ],
  };
}
