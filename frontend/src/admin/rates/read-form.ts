// Reads the rates from their form. What cannot be read gets a message by JSON pointer.

import type { OvertimeRules, OvertimeTier, RateCard, Rates } from '../../api/offers';
import { parseAmount } from '../offers/draft';
import { pointer } from '../site/shape';
import type { FormFaults, OvertimeForm, RatesForm, TierForm } from './form';

/** The rates of a form, and what cannot be read of it. */
export function ratesOf(form: RatesForm): { rates: Rates; faults: FormFaults } {
  const faults: FormFaults = {};
  const fault = (message: string, path: (string | number)[]) => {
    faults[pointer(path)] = message;
  };
  const amount = (text: string, ...path: (string | number)[]) => {
    const cents = parseAmount(text);
    if (Number.isNaN(cents)) fault('Enter an amount, such as 34.50.', path);
    return cents;
  };
  const times = (text: string, by: number, message: string, path: (string | number)[]) => {
    const value = /^\s*\d{1,6}(\.\d{1,4})?\s*%?\s*$/.test(text) ? Number.parseFloat(text) * by : Number.NaN;
    if (Number.isNaN(value)) fault(message, path);
    return Math.round(value);
  };
  const part = (text: string, ...path: (string | number)[]) =>
    times(text, 100, 'Enter percent, such as 8.25.', path);
  const minutes = (text: string, ...path: (string | number)[]) =>
    times(text, 60, 'Enter hours, such as 4 or 0.5.', path);
  const whole = (value: number | null, ...path: (string | number)[]) => {
    if (!Number.isSafeInteger(value) || (value ?? 0) < 0) fault('Enter a number.', path);
    return value ?? 0;
  };
  const tiers = (list: TierForm[], ...path: (string | number)[]): OvertimeTier[] =>
    list.map(({ over, part: of }, nth) => ({
      over_minutes: minutes(over, ...path, nth, 'over'),
      basis_points: part(of, ...path, nth, 'part'),
    }));
  const overtime = (of: OvertimeForm, ...path: (string | number)[]): OvertimeRules => ({
    daily: tiers(of.daily, ...path, 'daily'),
    seventh_day: tiers(of.seventh_day, ...path, 'seventh_day'),
    weekly: tiers(of.weekly, ...path, 'weekly')[0] ?? null,
  });
  /** A map of a list; a key that comes twice is a fault. */
  function mapOf<T, V>(
    list: T[],
    path: string[],
    key: keyof T & string,
    value: (entry: T, nth: number) => V,
  ) {
    const found: Record<string, V> = {};
    for (const [nth, entry] of list.entries()) {
      const name = String(entry[key]);
      if (!name) fault('Choose a state.', [...path, nth, key]);
      if (name in found) fault('This state is in the list twice.', [...path, nth, key]);
      found[name] = value(entry, nth);
    }
    return found;
  }
  const { rates, extras, holidays, short_notice: notice, staffing, texts } = form;
  const card: RateCard = {
    classes: mapOf(rates.classes, ['rates', 'classes'], 'key', ({ title, unit, rate, minimum }, nth) => ({
      title,
      unit,
      rate_cents: amount(rate, 'rates', 'classes', nth, 'rate'),
      minimum_minutes: minutes(minimum, 'rates', 'classes', nth, 'minimum'),
    })),
    overrides: rates.overrides.map(({ rate, ...of }, nth) => ({
      ...of,
      rate_cents: amount(rate, 'rates', 'overrides', nth, 'rate'),
    })),
    night: { from: extras.from, to: extras.to, cents: amount(extras.night, 'extras', 'night') },
    weekend_basis_points: part(extras.weekend, 'extras', 'weekend'),
    holiday_basis_points: part(extras.holiday, 'extras', 'holiday'),
    holidays: holidays.days,
    short_notice: {
      days: whole(notice.days, 'short_notice', 'days'),
      tiers: notice.tiers.map(({ under_hours: hours, part: of }, nth) => ({
        under_hours: whole(hours, 'short_notice', 'tiers', nth, 'under_hours'),
        basis_points: part(of, 'short_notice', 'tiers', nth, 'part'),
      })),
    },
    supervisor: {
      from_officers: whole(staffing.from_officers, 'staffing', 'from_officers'),
      class: staffing.class,
    },
    overtime: {
      federal: overtime(form.overtime.everywhere, 'overtime', 'everywhere'),
      states: mapOf(form.overtime.states, ['overtime', 'states'], 'state', (of, nth) =>
        overtime(of, 'overtime', 'states', nth),
      ),
    },
    travel_cents: amount(extras.travel, 'extras', 'travel'),
    equipment: mapOf(form.equipment.list, ['equipment', 'list'], 'key', ({ title, price, per }, nth) => ({
      title,
      cents: amount(price, 'equipment', 'list', nth, 'price'),
      per,
    })),
    relief_minutes: minutes(staffing.relief, 'staffing', 'relief'),
    round_to_cents: amount(staffing.round, 'staffing', 'round'),
    taxes: mapOf(form.taxes.list, ['taxes', 'list'], 'state', ({ title, part: of }, nth) => ({
      title,
      basis_points: part(of, 'taxes', 'list', nth, 'part'),
    })),
  };
  whole(texts.valid_days, 'texts', 'valid_days');
  for (const name of ['from', 'to'] as const)
    if (!/^\d{2}:\d{2}$/.test(extras[name])) fault('Enter a time.', ['extras', name]);
  return { rates: { card, ...texts }, faults };
}
