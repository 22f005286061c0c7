// The rates as the form shows them: dollars, hours and percent as texts, and lists in place of
// maps.

import type { OfficerClass, OvertimeRules, OvertimeTier, RateCard, Rates } from '../../api/offers';

export type TierForm = { over: string; part: string };
export type OvertimeForm = { daily: TierForm[]; seventh_day: TierForm[]; weekly: TierForm[] };

export type RatesForm = {
  rates: {
    classes: { key: string; title: string; unit: OfficerClass['unit']; rate: string; minimum: string }[];
    overrides: { class: string; state: string; city?: string | null; rate: string }[];
  };
  extras: { from: string; to: string; night: string; weekend: string; holiday: string; travel: string };
  holidays: { days: RateCard['holidays'] };
  short_notice: { days: number; tiers: { under_hours: number; part: string }[] };
  staffing: { from_officers: number; class: string; relief: string; round: string };
  overtime: { everywhere: OvertimeForm; states: ({ state: string } & OvertimeForm)[] };
  equipment: { list: { key: string; title: string; price: string; per: 'day' | 'once' }[] };
  taxes: { list: { state: string; title: string; part: string }[] };
  texts: Omit<Rates, 'card'>;
};

const dollarsText = (cents: number) => (cents / 100).toFixed(2);
/** Basis points as percent, or minutes as hours: without zeros that say nothing. */
const plain = (value: number, per: number) => String(Number((value / per).toFixed(4)));
const percent = (points: number) => plain(points, 100);
const hoursText = (minutes: number) => plain(minutes, 60);

export function formOf({ card, ...texts }: Rates): RatesForm {
  return {
    rates: {
      classes: Object.entries(card.classes).map(([key, { title, unit, ...amounts }]) => ({
        key,
        title,
        unit,
        rate: dollarsText(amounts.rate_cents),
        minimum: hoursText(amounts.minimum_minutes),
      })),
      overrides: card.overrides.map(({ rate_cents: cents, ...of }) => ({ ...of, rate: dollarsText(cents) })),
    },
    extras: {
      from: card.night.from,
      to: card.night.to,
      night: dollarsText(card.night.cents),
      weekend: percent(card.weekend_basis_points),
      holiday: percent(card.holiday_basis_points),
      travel: dollarsText(card.travel_cents),
    },
    holidays: {
      days: card.holidays.map((holiday) => ({ day: null, weekday: null, nth: null, ...holiday })),
    },
    short_notice: {
      days: card.short_notice.days,
      tiers: card.short_notice.tiers.map(({ under_hours, basis_points: points }) => ({
        under_hours,
        part: percent(points),
      })),
    },
    staffing: {
      ...card.supervisor,
      relief: hoursText(card.relief_minutes),
      round: dollarsText(card.round_to_cents),
    },
    overtime: {
      everywhere: overtimeForm(card.overtime.federal),
      states: Object.entries(card.overtime.states).map(([state, of]) => ({ state, ...overtimeForm(of) })),
    },
    equipment: {
      list: Object.entries(card.equipment).map(([key, { title, cents, per }]) => ({
        key,
        title,
        price: dollarsText(cents),
        per,
      })),
    },
    taxes: {
      list: Object.entries(card.taxes).map(([state, { title, basis_points: points }]) => ({
        state,
        title,
        part: percent(points),
      })),
    },
    texts,
  };
}

function overtimeForm({ daily = [], seventh_day: seventh = [], weekly }: OvertimeRules): OvertimeForm {
  const tier = ({ over_minutes: over, basis_points: points }: OvertimeTier) => ({
    over: hoursText(over),
    part: percent(points),
  });
  return { daily: daily.map(tier), seventh_day: seventh.map(tier), weekly: weekly ? [tier(weekly)] : [] };
}

/** Messages by JSON pointer. */
export type FormFaults = Record<string, string>;
