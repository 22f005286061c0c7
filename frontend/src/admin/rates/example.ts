// An example of an offer by the rates that are typed: a week around the clock.
import type { OfferDraft, RateCard } from '../../api/offer-types';
import { type Faults, faultsOf } from '../offers/check';
import { newSchedule, zoneOf } from '../offers/draft';
import { priceOf } from '../offers/price/price';
import type { Priced } from '../offers/price/price-view';
import { lastDayOf, today } from '../offers/words';

export type Example = { class: string; officers: number; state: string };

/** Next Monday, `YYYY-MM-DD`. */
function nextMonday(now: Date): string {
  const ahead = (8 - now.getDay()) % 7 || 7;
  return today(new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead));
}

/** The price of the example, or what is wrong with it. */
export function examplePrice(card: RateCard, example: Example, now = new Date()): Priced | Faults {
  const start = nextMonday(now);
  const isVisit = card.classes[example.class]?.unit === 'visit';
  const post = {
    title: '',
    city: '',
    ...example,
    schedule: newSchedule(isVisit ? 'visits' : 'always', start),
    same_officers: false,
    equipment: [],
  };
  const draft: OfferDraft = {
    terms: {
      start,
      end: lastDayOf(start),
      notice_hours: null,
      posts: [post],
      manual: [],
      discount: null,
      tax_exemption: null,
    },
    message: '',
    valid_until: start,
    unconfirmed_schedules: [],
  };
  const faults = faultsOf(draft, card, today(now));
  if (Object.keys(faults).length) return faults;
  return { price: priceOf(card, draft.terms, zoneOf), terms: draft.terms };
}
