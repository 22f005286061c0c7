// The price of a draft as one types: each thing with how its amount came about, taxes, the total.
// While the draft is unfinished it is that of the last complete state, and marked; while the server
// prices a change, it is dimmed.
import type { OfferPrice } from '../../api/offers';
import type { Pricing } from './use-price';
import { dollars } from './words';

type Props = {
  pricing: Pick<Pricing, 'price' | 'waits'>;
  /** What has to be mended before there is a price. */
  missing: string[];
};

export function PriceView({ pricing: { price, waits }, missing }: Props) {
  const first = missing.slice(0, 4);
  return (
    <section className="offer-price" aria-label="Price" aria-busy={waits}>
      {first.length ? (
        <div className={price ? 'offer-last' : 'muted'}>
          <p>{price ? 'Of the last complete state. To do:' : 'There is no price yet:'}</p>
          <ul>
            {first.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {price ? <Sums {...price} /> : null}
    </section>
  );
}

/** What is said elsewhere: the total has a separate line. */
const sums = ['subtotal', 'total'];

function Sums({ price, rows }: OfferPrice) {
  const isWeekly = price.month !== null;
  return (
    <>
      <table>
        <caption className="visually-hidden">{isWeekly ? 'For a week' : 'For the term'}</caption>
        <tbody>
          {rows
            .filter(({ kind }) => !sums.includes(kind))
            .map(({ kind, title, parts, amount, is_manual: isManual }, nth) => (
              <tr key={nth}>
                <th scope={kind === 'post' ? 'rowgroup' : 'row'} colSpan={kind === 'post' ? 2 : 1}>
                  {title}
                  {isManual ? <span className="offer-mark">by hand</span> : null}
                  {parts.map((part) => (
                    <span key={part} className="offer-how">
                      {part}
                    </span>
                  ))}
                </th>
                {kind === 'post' ? null : <td>{amount}</td>}
              </tr>
            ))}
        </tbody>
      </table>
      <p className="offer-total" role="status">
        <span>{isWeekly ? 'Each week' : 'Total'}</span> <strong>{dollars(price.total)}</strong>
        {typeof price.month === 'number' ? (
          <span className="offer-how">{`about ${dollars(price.month)} a month`}</span>
        ) : null}
      </p>
    </>
  );
}

/** The total again, beside the buttons; screen readers hear the one above. */
export function Total({ pricing: { price, waits }, missing }: Props) {
  if (!price) return null;
  return (
    <span className="offer-value" aria-hidden="true" aria-busy={waits}>
      {missing.length ? <span className="offer-how">last complete</span> : null}
      {`${dollars(price.price.total)}${price.price.month === null ? '' : ' a week'}`}
    </span>
  );
}
