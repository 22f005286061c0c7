// The rate card, terms and draft of an offer, which the description of the API has as plain JSON.
// Money is in cents, time in minutes, rates in basis points.

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof weekdays)[number];

export type OvertimeTier = { over_minutes: number; basis_points: number };
export type OvertimeRules = {
  daily?: OvertimeTier[];
  seventh_day?: OvertimeTier[];
  weekly?: OvertimeTier | null;
};
export type OfficerClass = {
  title: string;
  unit: 'hour' | 'visit' | 'seat';
  rate_cents: number;
  minimum_minutes: number;
};
export type Holiday = {
  title: string;
  month: number;
  day?: number | null;
  weekday?: Weekday | null;
  nth?: number | null;
};

export type RateCard = {
  classes: Record<string, OfficerClass>;
  overrides: { class: string; state: string; city: string | null; rate_cents: number }[];
  night: { from: string; to: string; cents: number };
  weekend_basis_points: number;
  holiday_basis_points: number;
  holidays: Holiday[];
  short_notice: { days: number; tiers: { under_hours: number; basis_points: number }[] };
  supervisor: { from_officers: number; class: string };
  overtime: { federal: OvertimeRules; states: Record<string, OvertimeRules> };
  travel_cents: number;
  equipment: Record<string, { title: string; cents: number; per: 'day' | 'once' }>;
  relief_minutes: number;
  round_to_cents: number;
  taxes: Record<string, { title: string; basis_points: number }>;
};

export type Schedule =
  | { kind: 'always'; from: string }
  | { kind: 'weekly'; shifts: { days: Weekday[]; from: string; to: string }[] }
  | { kind: 'single'; shifts: { date: string; from: string; to: string }[] }
  | { kind: 'visits'; days: Weekday[]; per_day: number };

export type Post = {
  title: string;
  city: string;
  state: string;
  class: string;
  officers: number;
  schedule: Schedule;
  same_officers: boolean;
  equipment: string[];
};

export type Terms = {
  start: string;
  /** The last day; null if the service is ongoing. */
  end: string | null;
  notice_hours: number | null;
  posts: Post[];
  manual: { title: string; cents: number; state: string | null }[];
  discount: { basis_points?: number; cents?: number; reason: string } | null;
  tax_exemption: string | null;
};

/** The draft of an offer. */
export type OfferDraft = {
  terms: Terms;
  /** Words to the customer. */
  message: string;
  /** The last day on which it can be accepted. */
  valid_until: string;
  /** The posts, from 0, whose schedule is only proposed. */
  unconfirmed_schedules: number[];
};

/** What an admin publishes. */
export type Rates = {
  card: RateCard;
  insurance: string;
  valid_days: number;
  conditions: Paragraph[];
  consent: { text: string; disclosures: Paragraph[] };
  /** The lawyer who has confirmed conditions, consent and sales taxes; empty: none has yet. */
  confirmed_by: string;
};

type Paragraph = { title: string; text: string };
