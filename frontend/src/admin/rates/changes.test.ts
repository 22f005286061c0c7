// What a version of the rates has changed, in the words of the form.

import card from '@seeds/offers/rate-card.json';
import { expect, it } from 'vitest';
import type { Rates } from '../../api/offers';
import { withValue } from '../site/shape';
import { formOf, type RatesForm } from './form';
import { changesOf } from './history';

const form = formOf({
  card,
  insurance: 'A line',
  valid_days: 14,
  conditions: [{ title: 'Law', text: 'Ours.' }],
  consent: { text: 'I agree.', disclosures: [{ title: 'Paper', text: 'On request.' }] },
  confirmed_by: 'A. Reyes',
} as unknown as Rates);

/** The changes of a form in which values were put at paths. */
const after = (...values: [string, unknown][]) => {
  const changed = values.reduce<unknown>(
    (now, [path, value]) => withValue(now, path.split('/'), value),
    form,
  );
  return changesOf(form, changed as RatesForm).map(({ place, before, after }) => [place, before, after]);
};

it('says nothing where nothing was changed', () => {
  expect(after()).toEqual([]);
});

it.each<[string, unknown, (string | null)[]]>([
  [
    'extras/night',
    '2.50',
    ['Nights, weekends, holidays, travel, Added at night ($ an hour)', '2.00', '2.50'],
  ],
  ['rates/classes/0/rate', '36.00', ['Rates, Classes, Fire watch officer, Rate ($)', '34.00', '36.00']],
  ['rates/classes/0/title', 'Watch', ['Rates, Classes, Watch, Name', 'Fire watch officer', 'Watch']],
  ['taxes/list/0/part', '8', ['Sales tax, Texas, Rate (%)', '8.25', '8']],
  [
    'staffing/class',
    'armed',
    ['Supervisors, shifts, rounding, Class of the supervisor', 'Supervisor', 'Armed officer'],
  ],
  [
    'texts/insurance',
    '',
    ['Insurance, validity, conditions, consent, Insurance line (optional)', 'A line', 'nothing'],
  ],
])('names the place of a change at %s', (path, value, expected) => {
  expect(after([path, value])).toEqual([expected]);
});

it('names entries that were added and removed, and is not confused by their order', () => {
  const { overrides } = form.rates;
  const [first, ...rest] = overrides;
  const added = { class: 'armed', state: 'NV', city: 'Reno', rate: '44.00' };
  expect(after(['rates/overrides', [...rest.toReversed(), added]])).toEqual([
    ['Rates, Other rates by place', null, 'Armed officer, Reno, NV: $44.00'],
    ['Rates, Other rates by place', expect.stringContaining(`${first?.state}: $${first?.rate}`), null],
  ]);
});

it('cuts long texts', () => {
  const [[, , text] = []] = after(['texts/conditions/0/text', 'x'.repeat(4000)]);
  expect(text).toHaveLength(161);
});
