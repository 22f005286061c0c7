// An offer by the rates that are typed, beside their form. While they cannot be read it stays that
// of the last complete state.
import { useRef, useState } from 'react';
import { stateOptions } from '../offers/draft';
import { type Priced, PriceView } from '../offers/price/price-view';
import { examplePrice } from './example';
import type { RatesForm } from './form';
import { ratesOf } from './read-form';

export function ExampleOffer({ form }: { form: RatesForm }) {
  const { classes } = form.rates;
  const [chosen, setChosen] = useState('');
  const [officers, setOfficers] = useState(1);
  const [state, setState] = useState('TX');
  const last = useRef<Priced>(undefined);
  const key = classes.some((one) => one.key === chosen) ? chosen : (classes[0]?.key ?? '');
  const { rates, faults } = ratesOf(form);
  const unread = Object.values(faults);
  const found = unread.length ? {} : examplePrice(rates.card, { class: key, officers, state });
  const priced = 'price' in found ? (found as Priced) : undefined;
  if (priced) last.current = priced;
  return (
    <aside className="rates-example" aria-labelledby="example-title">
      <h2 id="example-title">Example offer</h2>
      <p className="muted">A week around the clock from next Monday, by what is typed here.</p>
      <div className="offer-row">
        <label className="field">
          Class
          <select className="input" value={key} onChange={(event) => setChosen(event.currentTarget.value)}>
            {classes.map((one) => (
              <option key={one.key} value={one.key}>
                {one.title || 'New class'}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          How many
          <select
            className="input"
            value={officers}
            onChange={(event) => setOfficers(Number(event.currentTarget.value))}
          >
            {[1, 2, 3, 4, 5, 6, 8, 10].map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          State
          <select className="input" value={state} onChange={(event) => setState(event.currentTarget.value)}>
            {stateOptions.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PriceView
        priced={last.current}
        isLast={!priced}
        missing={[...new Set(unread.length ? unread : Object.values(found as Record<string, string>))]}
      />
    </aside>
  );
}
