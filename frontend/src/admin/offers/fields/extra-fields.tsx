// What is added by hand: lines, a discount with its reason, the certificate of a tax exemption.
import { useState } from 'react';
import type { Terms } from '../../../api/offers';
import { Button } from '../../../ui/button';
import { Check } from '../../ui/choice';
import { amountText, type Discount, newLine, parseAmount, stateOptions } from '../draft';
import { Select } from './choice-fields';
import { AmountInput, TextInput, Typed, useChange } from './fields';

export function ExtraFields({ terms }: { terms: Terms }) {
  const set = useChange();
  const { manual, discount = null, tax_exemption: exemption = null } = terms;
  const [began] = useState(manual.length > 0 || discount !== null || exemption !== null);
  return (
    <details className="offer-extras site-folded" open={began}>
      <summary>Lines by hand, discount, tax exemption</summary>
      {manual.map((line, nth) => (
        <fieldset key={nth} className="offer-row">
          <legend className="visually-hidden">{`Line ${nth + 1} by hand`}</legend>
          <TextInput name={`manual.${nth}.title`} label="What for" value={line.title} />
          <AmountInput
            name={`manual.${nth}.cents`}
            label={terms.end ? 'Amount ($)' : 'Amount a week ($)'}
            value={line.cents}
            className="offer-short"
          />
          <Select
            name={`manual.${nth}.state`}
            label="Sales tax"
            value={line.state ?? ''}
            options={stateOptions}
            empty="No tax"
            choose={(state) => set(`manual.${nth}.state`, state || null)}
          />
          <Button
            look="quiet"
            aria-label={`Remove line ${nth + 1}`}
            onClick={() => set('manual', manual.toSpliced(nth, 1))}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <Button look="line" className="button-small" onClick={() => set('manual', [...manual, newLine(terms)])}>
        Add a line
      </Button>
      <Check
        label="Discount"
        checked={discount !== null}
        set={(on) => set('discount', on ? { basis_points: 500, cents: 0, reason: '' } : null)}
      />
      {discount ? <DiscountFields discount={discount} /> : null}
      <Check
        label="Exempt from sales tax"
        checked={exemption !== null}
        set={(on) => set('tax_exemption', on ? '' : null)}
      />
      {exemption === null ? null : (
        <TextInput name="tax_exemption" label="Number of the certificate" value={exemption} />
      )}
    </details>
  );
}

/** A part as `5%`, or an amount. */
function DiscountFields({ discount }: { discount: Discount }) {
  const set = useChange();
  const text = discount.cents ? amountText(discount.cents) : partText(discount.basis_points);
  return (
    <div className="offer-row">
      <Typed
        name="discount"
        label="% or dollars"
        mode="decimal"
        text={text}
        className="offer-short"
        same={(typed) => sameDiscount(parseDiscount(typed), discount)}
        set={(typed) => set('discount', { ...discount, ...parseDiscount(typed) })}
      />
      <TextInput name="discount.reason" label="Reason" value={discount.reason} />
    </div>
  );
}

const partText = (basisPoints: number) => (Number.isNaN(basisPoints) ? '' : `${basisPoints / 100}%`);

type Amounts = { basis_points: number; cents: number };

export function parseDiscount(text: string): Amounts {
  const part = /^\s*(\d{1,3}(?:\.\d{1,2})?)\s*%\s*$/.exec(text)?.[1];
  if (part !== undefined) return { basis_points: Math.round(Number(part) * 100), cents: 0 };
  return { basis_points: 0, cents: parseAmount(text) };
}

const sameDiscount = (typed: Amounts, { basis_points: part = 0, cents = 0 }: Discount) =>
  Object.is(typed.basis_points, part) && Object.is(typed.cents, cents);
