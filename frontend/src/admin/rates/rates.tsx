// The rate card: what offers are made with. Saved as a draft while it is typed, and published.
import { useEffect, useState } from 'react';
import type { RatesInForce } from '../../api/offers';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import { ShapeField } from '../site/shape-field';
import { FormAlert } from '../ui/auth-card';
import { Check } from '../ui/choice';
import { ConfirmButton } from '../ui/confirm-button';
import { Heading } from '../ui/heading';
import { Waiting } from '../ui/waiting';
import { ClassTable } from './class-table';
import { ExampleOffer } from './example-offer';
import { formOf } from './form';
import { RatesHistory } from './history';
import { belowClasses } from './shape';
import { useRates } from './use-rates';

export default function Rates() {
  const rates = useRates();
  const { state, form, faults, alert, busy, edited } = rates;
  const [confirmed, setConfirmed] = useState(false);
  const changed = edited || Boolean(state?.draft);
  const isShown = Boolean(state && form);
  useEffect(() => {
    if (isShown) showControl(location.hash.slice(1));
  }, [isShown]);
  return (
    <div className="account site-editor rates">
      <Heading>Rates</Heading>
      {state ? null : <Waiting problem={alert} retry={rates.load} />}
      {state && form ? (
        <>
          <p className={state.is_sample ? 'offer-sample' : 'muted'}>
            {state.is_sample
              ? 'These are the prices of a sample. Put your own in their place, have a lawyer read the conditions, the consent and the sales taxes, then publish. Until then no offer can be sent.'
              : `Version ${state.version}, published ${dateTime(state.published_at ?? '')}. Offers that were sent keep the rates that they were made with.`}
          </p>
          {state.is_sample || state.rates.confirmed_by ? null : (
            <p className="offer-sample">
              No lawyer has confirmed the conditions, the consent to electronic signing and the sales taxes
              yet. When one has, enter the name under “Insurance, validity, conditions, consent”.
            </p>
          )}
          <p>
            Offers are made with these prices. The site shows prices of its own:{' '}
            <a href="/admin/site?section=prices">open its prices page in the editor</a>.
          </p>
          <div className="rates-columns">
            <section aria-labelledby="rate-card" className="site-section">
              <h2 id="rate-card" className="visually-hidden">
                Rate card
              </h2>
              <ClassTable
                classes={form.rates.classes}
                samples={state.is_sample ? sampleRates(state.rates) : undefined}
                editing={{ faults, change: rates.change }}
              />
              <ShapeField
                shape={belowClasses(form)}
                label=""
                value={form}
                path={[]}
                editing={{ faults, change: rates.change }}
              />
              <div className="site-save">
                <FormAlert text={alert} />
                <p role="status" className="muted">
                  {edited ? 'Not saved yet.' : savedText(state)}
                </p>
                {state.is_sample ? (
                  <Check label="These are our prices and conditions" checked={confirmed} set={setConfirmed} />
                ) : null}
                <div className="actions">
                  <Button
                    disabled={busy || (state.is_sample ? !confirmed : !changed)}
                    onClick={rates.publish}
                  >
                    Publish rates
                  </Button>
                  {changed ? <ConfirmButton name="Discard" of="the changes" act={rates.discard} /> : null}
                </div>
              </div>
            </section>
            <ExampleOffer form={form} />
          </div>
          <RatesHistory key={state.version} version={state.version} />
        </>
      ) : null}
    </div>
  );
}

function savedText({ draft, is_sample }: RatesInForce): string {
  if (draft) return `Draft saved ${dateTime(draft.saved_at)}.`;
  return is_sample ? 'Not published yet.' : 'As published.';
}

/** The prices of the sample by the key of their class. */
const sampleRates = (rates: RatesInForce['rates']) =>
  new Map(formOf(rates).rates.classes.map(({ key, rate }) => [key, rate]));

/** Opens what the control with this id is folded in, or the nearest part of it, and goes there. */
function showControl(id: string) {
  const control = document.getElementById(id);
  if (!control) {
    const [, around] = /^(.+)-[^-]+$/.exec(id) ?? [];
    if (around) showControl(around);
    return;
  }
  for (let part: Element | null = control; part; part = part.parentElement)
    if (part instanceof HTMLDetailsElement) part.open = true;
  control.focus();
  control.scrollIntoView({ block: 'center' });
}
