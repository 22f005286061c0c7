// The draft of an example of an offer: a week around the clock.
import type { OfferDraft, RateCard } from '../../api/offer-types';
import { newSchedule } from '../offers/draft';
import { lastDayOf, today } from '../offers/words';

export type Example = { class: string; officers: number; state: string };

/** Next Monday, `YYYY-MM-DD`. */
function nextMonday(now: Date): string {
  const ahead = (8 - now.getDay()) % 7 || 7;
  return today(new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead));
}

export function exampleDraft(card: RateCard, example: Example, now = new Date()): OfferDraft {
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
  return {
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
}
