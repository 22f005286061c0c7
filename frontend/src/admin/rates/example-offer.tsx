// An offer by the rates that are typed, beside their form. While they cannot be read it stays that
// of the last complete state.

import { useState } from 'react';
import type { OfferDraft, RateCard } from '../../api/offers';
import { serverNow } from '../../api/server-clock';
import { newSchedule, stateOptions } from '../offers/draft';
import { PriceView } from '../offers/price-view';
import { usePrice } from '../offers/use-price';
import { lastDayOf, today } from '../offers/words';
import { Choice, type Option } from '../ui/choice';
import type { RatesForm } from './form';
import { ratesOf } from './read-form';

const counts = [1, 2, 3, 4, 5, 6, 8, 10].map((count): Option => [`${count}`, `${count}`]);

export function ExampleOffer({ form }: { form: RatesForm }) {
  const { classes } = form.rates;
  const [chosen, setChosen] = useState('');
  const [officers, setOfficers] = useState(1);
  const [state, setState] = useState('TX');
  const key = classes.some((one) => one.key === chosen) ? chosen : (classes[0]?.key ?? '');
  const { rates, faults } = ratesOf(form);
  const unread = Object.values(faults);
  const draft = exampleDraft(rates.card, { class: key, officers, state });
  const pricing = usePrice(unread.length ? undefined : draft, rates.card);
  return (
    <aside className="rates-example" aria-labelledby="example-title">
      <h2 id="example-title">Example offer</h2>
      <p className="muted">A week around the clock from next Monday, by what is typed here.</p>
      <div className="offer-row">
        <Choice
          className="field"
          label="Class"
          value={key}
          options={classes.map(({ key, title }): Option => [key, title || 'New class'])}
          set={setChosen}
        />
        <Choice
          className="field"
          label="How many"
          value={String(officers)}
          options={counts}
          set={(count) => setOfficers(Number(count))}
        />
        <Choice className="field" label="State" value={state} options={stateOptions} set={setState} />
      </div>
      <PriceView
        pricing={pricing}
        missing={[...new Set(unread.length ? unread : Object.values(pricing.faults))]}
      />
    </aside>
  );
}

// The draft of an example of an offer: a week around the clock.

type Example = { class: string; officers: number; state: string };

/** Next Monday, `YYYY-MM-DD`. */
function nextMonday(now: Date): string {
  const ahead = (8 - now.getDay()) % 7 || 7;
  return today(new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead));
}

export function exampleDraft(card: RateCard, example: Example, now = new Date(serverNow())): OfferDraft {
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
