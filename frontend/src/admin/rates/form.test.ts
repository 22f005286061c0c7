// The rates in the form, and back.

import card from '@seeds/offers/rate-card.json';
import { expect, it } from 'vitest';
import type { Rates } from '../../api/offers';
import { choicesOf, type Shape, withValue } from '../site/shape';
import { formOf, type RatesForm } from './form';
import { placed, placeOf } from './places';
import { ratesOf } from './read-form';
import { ratesShape } from './shape';

const sample = {
  card,
  insurance: 'A line',
  valid_days: 14,
  conditions: [{ title: 'Law', text: 'Ours.' }],
  consent: { text: 'I agree.', disclosures: [{ title: 'Paper', text: 'On request.' }] },
  confirmed_by: 'A. Reyes',
} as unknown as Rates;

/** Without the members that mean nothing: empty lists and null. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, bare(one)]);
  return Object.fromEntries(
    entries.filter(([, one]) => one !== null && !(Array.isArray(one) && !one.length)),
  );
};

it('shows the sample in dollars, hours and percent, and reads the same rates from it', () => {
  const form = formOf(sample);
  expect(form.rates.classes[0]).toMatchObject({ key: 'fire-watch', rate: '34.00', minimum: '4' });
  expect(form.taxes.list[0]).toEqual({ state: 'TX', title: 'Texas sales tax', part: '8.25' });
  expect(form.overtime.states[0]?.seventh_day[0]).toEqual({ over: '0', part: '50' });
  const { rates, faults } = ratesOf(form);
  expect(faults).toEqual({});
  expect(bare(rates)).toEqual(bare(sample));
});

it.each<[string, unknown, string]>([
  ['/extras/night', 'two', 'Enter an amount, such as 34.50.'],
  ['/staffing/relief', '', 'Enter hours, such as 4 or 0.5.'],
  ['/extras/weekend', '-5', 'Enter percent, such as 8.25.'],
  ['/texts/valid_days', null, 'Enter a number.'],
  ['/extras/from', '', 'Enter a time.'],
  ['/taxes/list/1/state', 'TX', 'This state is in the list twice.'],
])('says at %s what is wrong with %j', (place, value, message) => {
  const path = place.slice(1).split('/');
  expect(ratesOf(withValue(formOf(sample), path, value) as RatesForm).faults).toEqual({ [place]: message });
});

it('shows what the server has found wrong where it can be mended', () => {
  const form = formOf(sample);
  const places = {
    'card.classes.armed.rate_cents': '/rates/classes/2/rate',
    'card.classes': '/rates/classes',
    'card.overrides.1.city': '/rates/overrides/1/city',
    'card.night.cents': '/extras/night',
    'card.holidays.2': '/holidays/days/2/month',
    'card.holidays.2.title': '/holidays/days/2/title',
    'card.short_notice.tiers.1.under_hours': '/short_notice/tiers/1/under_hours',
    'card.supervisor.class': '/staffing/class',
    'card.relief_minutes': '/staffing/relief',
    'card.overtime.states.CA': '/overtime/states/0/state',
    'card.equipment.vehicle.cents': '/equipment/list/1/price',
    'card.taxes.NY.basis_points': '/taxes/list/1/part',
    valid_days: '/texts/valid_days',
    'conditions.0.text': '/texts/conditions/0/text',
  };
  expect(Object.keys(places).map((field) => placeOf(field, form))).toEqual(Object.values(places));
  expect(placed({ valid_days: 'Enter 1 to 365 days.' }, form)).toEqual({
    '/texts/valid_days': 'Enter 1 to 365 days.',
  });
});

it('has a field for every member of the form', () => {
  const form = formOf(sample);
  const missing: string[] = [];
  function walk(value: unknown, shape: Shape, path: string) {
    if (shape.type === 'list') for (const one of value as unknown[]) walk(one, shape.of as Shape, path);
    if (shape.type !== 'object') return;
    for (const [key, member] of Object.entries(value as object)) {
      const field = shape.fields?.find((one) => one.key === key);
      if (field) walk(member, field, `${path}/${key}`);
      else missing.push(`${path}/${key}`);
    }
  }
  walk(form, ratesShape(form), '');
  expect(missing).toEqual([]);
});

it('offers the classes of the form where a class is chosen', () => {
  const all = formOf(sample);
  const form = { ...all, rates: { ...all.rates, classes: all.rates.classes.slice(0, 1) } };
  const staffing = ratesShape(form).fields?.find(({ key }) => key === 'staffing');
  const choice = staffing?.fields?.find(({ key }) => key === 'class') as Shape;
  expect(choicesOf(choice)).toEqual([{ value: 'fire-watch', label: 'Fire watch officer' }]);
});
