// The price of terms by a rate card, as in src/domain/offer/price.rs; both are tested with
// seeds/offers/cases.json.

import type { Line, OfficerClass, Post, Price, RateCard, Terms } from '../../../api/offer-types';
import { counted, divided, dollars, hours, multiplied, part } from './amounts';
import { typicalClock, zoneClock } from './calendar';
import { type Extras, isEarly, laborMinutes, noExtras, shortNotice } from './labor';
import { type Days, daysOf, type Shift, shiftsOf, visitsOf } from './shifts';

/** The maximum of an amount, in cents: a hundred million dollars. */
export const maxCents = 10_000_000_000;

/** The time zone (IANA) of most of a state. */
export type ZoneOf = (state: string) => string;

/** The price of the term, or of a week if the service is ongoing. */
export function priceOf(card: RateCard, terms: Terms, zoneOf: ZoneOf): Price {
  const days = daysOf(terms);
  const ofPosts = terms.posts.flatMap((post, number) =>
    postLines({ card, terms, days, post, number, zoneOf }),
  );
  const manual = terms.manual.map(({ title, cents, state }) => ({
    post: null,
    title,
    how: '',
    cents,
    is_manual: true,
    state,
  }));
  const lines: Line[] = [...ofPosts, ...manual];
  const subtotal = sum(lines);
  const { cents = 0, basis_points = 0 } = terms.discount ?? {};
  const discount = cents + part(subtotal, basis_points);
  const taxes = terms.tax_exemption === null ? taxLines(card, lines, subtotal, discount) : [];
  const total = subtotal - discount + sum(taxes);
  return { lines, subtotal, discount, taxes, total, month: terms.end ? null : divided([total, 52], 12) };
}

/** What is wrong with the sums, as in src/domain/offer/check.rs: the field and its message. */
export function totalFault({ manual }: Terms, { subtotal, discount, total }: Price): Record<string, string> {
  if (subtotal < 0) {
    const cents = Math.min(...manual.map((line) => line.cents));
    const nth = manual.findIndex((line) => line.cents === cents);
    const message = `This line takes ${dollars(-cents)} off, and the total would be ${dollars(subtotal)}.`;
    return { [`manual.${nth}.cents`]: `${message} An offer cannot be below $0.00.` };
  }
  if (discount > subtotal) {
    const message = `The discount of ${dollars(discount)} is over the price of ${dollars(subtotal)}.`;
    return { discount: `${message} Enter a smaller one.` };
  }
  if (total <= maxCents) return {};
  return { posts: 'The total is over $100 million. Check the officers, the rates and the term.' };
}

const sum = (lines: { cents: number }[]) => lines.reduce((all, { cents }) => all + cents, 0);

/** The tax of each state on its lines, less their share of the discount. */
function taxLines(card: RateCard, lines: Line[], subtotal: number, discount: number): Price['taxes'] {
  const states = [...new Set(lines.flatMap(({ state }) => state ?? []))].sort();
  return states.flatMap((state) => {
    const tax = card.taxes[state];
    if (!tax) return [];
    const ofState = sum(lines.filter((line) => line.state === state));
    const share = subtotal ? divided([discount, ofState], subtotal) : 0;
    const taxable = Math.max(ofState - share, 0);
    return [{ ...tax, state, taxable, cents: part(taxable, tax.basis_points) }];
  });
}

type Context = { card: RateCard; terms: Terms; days: Days; post: Post; number: number; zoneOf: ZoneOf };

function postLines(context: Context): Line[] {
  const { card, post } = context;
  const officerClass = card.classes[post.class];
  if (!officerClass) return [];
  const lines = { hour: hourLines, visit: visitLines, seat: seatLines }[officerClass.unit](
    context,
    officerClass,
  );
  return [...lines, ...equipmentLines(context)];
}

function hourLines(context: Context, officerClass: OfficerClass): Line[] {
  const { card, post } = context;
  const shifts = shiftsOf(post.schedule, context.days, card.relief_minutes);
  const { from_officers: from, class: leader } = card.supervisor;
  const lead = from > 0 && post.officers >= from ? card.classes[leader] : undefined;
  const lines = laborLines(context, post.class, officerClass, post.officers, shifts);
  if (lead) lines.push(...laborLines(context, leader, lead, 1, shifts));
  const officers = post.officers + (lead ? 1 : 0);
  if (card.travel_cents > 0 && shifts.length) {
    const words = [counted(shifts.length, 'shift'), counted(officers, 'officer'), dollars(card.travel_cents)];
    const cents = multiplied([shifts.length, officers, card.travel_cents]);
    lines.push(line(context, 'Travel', words.join(' × '), cents));
  }
  return lines;
}

function laborLines(
  context: Context,
  key: string,
  officerClass: OfficerClass,
  officers: number,
  shifts: Shift[],
): Line[] {
  const { card, terms, days, post } = context;
  const conditions = {
    card,
    days,
    clock: days.isTypicalWeek ? typicalClock : zoneClock(context.zoneOf(post.state)),
    overtime: card.overtime.states[post.state] ?? card.overtime.federal,
    minimumMinutes: officerClass.minimum_minutes,
    sameOfficers: post.same_officers,
    shortNotice: shortNotice(card, terms),
  };
  const base = rateOf(card, key, post);
  return laborMinutes(conditions, shifts).map(({ extras, minutes }) => {
    const { rate, words } = withExtras(card, base, extras);
    const how = `${hours(minutes)} × ${counted(officers, 'officer')} × ${dollars(rate)}${words}`;
    const title = extras.isMinimum ? `${officerClass.title}, up to the minimum shift` : officerClass.title;
    return line(context, title, how, divided([minutes, officers, rate], 60));
  });
}

function visitLines(context: Context, { title }: OfficerClass): Line[] {
  const { card, terms, days, post } = context;
  const early = shortNotice(card, terms);
  const counts = new Map([
    [0, 0],
    [early, 0],
  ]);
  for (const { day, count } of visitsOf(post.schedule, days)) {
    const extra = isEarly(card, days, day) ? early : 0;
    counts.set(extra, (counts.get(extra) ?? 0) + count);
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([extra, count]) => {
      const base = rateOf(card, post.class, post);
      const { rate, words } = withExtras(card, base, { ...noExtras, shortNotice: extra });
      const how = `${counted(count, 'visit')} × ${counted(post.officers, 'officer')} × ${dollars(rate)}${words}`;
      return line(context, title, how, multiplied([count, post.officers, rate]));
    });
}

function seatLines(context: Context, { title }: OfficerClass): Line[] {
  const { card, days, post } = context;
  const rate = rateOf(card, post.class, post);
  const how = [counted(days.count, 'day'), counted(post.officers, 'seat'), dollars(rate)].join(' × ');
  return [line(context, title, how, multiplied([days.count, post.officers, rate]))];
}

function equipmentLines(context: Context): Line[] {
  const { card, days, post } = context;
  return post.equipment.flatMap((key) => {
    const item = card.equipment[key];
    if (!item) return [];
    const count = item.per === 'day' ? days.count : 1;
    const how = `${item.per === 'day' ? counted(count, 'day') : 'once'} × ${dollars(item.cents)}`;
    return [line(context, item.title, how, multiplied([count, item.cents]))];
  });
}

/** The rate of a class at a place: the city's, else the state's, else the card's. */
function rateOf(card: RateCard, key: string, { state, city }: Post): number {
  const same = (a: string, b: string) => a.toLowerCase() === b.trim().toLowerCase();
  const ofState = card.overrides.filter((entry) => entry.class === key && entry.state === state);
  const found =
    ofState.find((entry) => entry.city !== null && same(entry.city, city)) ??
    ofState.find((entry) => entry.city === null);
  return found?.rate_cents ?? card.classes[key]?.rate_cents ?? 0;
}

/** A rate with what is added to it, and the words for it. */
function withExtras(card: RateCard, base: number, extras: Extras): { rate: number; words: string } {
  const unit = Math.max(card.round_to_cents, 1);
  const added = (basisPoints: number) => divided([base, basisPoints], 10_000 * unit) * unit;
  const parts: [string, number][] = [
    ['weekend', extras.weekend ? added(card.weekend_basis_points) : 0],
    ['holiday', extras.holiday ? added(card.holiday_basis_points) : 0],
    ['night', extras.night ? card.night.cents : 0],
    ['short notice', added(extras.shortNotice)],
    [extras.overtime >= 10_000 ? 'double time' : 'overtime', added(extras.overtime)],
  ];
  const named = parts.filter(([, cents]) => cents > 0);
  const words = named.map(([name, cents]) => `${name} +${dollars(cents)}`).join(', ');
  const rate = named.reduce((all, [, cents]) => all + cents, base);
  return { rate, words: words && ` (${words})` };
}

const line = ({ post, number }: Context, title: string, how: string, cents: number): Line => ({
  post: number,
  title,
  how,
  cents,
  is_manual: false,
  state: post.state,
});
