// The price of a draft as one types: each thing with how its amount came about, taxes, the total.
// While the draft is unfinished it is that of the last complete state, and marked.

import type { Price, Terms } from '../../../api/offer-types';
import { dollars } from './amounts';
import { priceRows } from './rows';

/** A price with the terms that it is for. */
export type Priced = { price: Price; terms: Terms };

type Props = {
  /** Of the last complete state; none if the draft was never complete. */
  priced: Priced | undefined;
  /** Whether the draft is unfinished since. */
  isLast: boolean;
  /** What has to be mended before there is a price. */
  missing: string[];
};

export function PriceView({ priced, isLast, missing }: Props) {
  const rest = isLast ? missing.slice(0, 4) : [];
  return (
    <section className="offer-price" aria-label="Price">
      {isLast ? (
        <div className={priced ? 'offer-last' : 'muted'}>
          <p>{`${priced ? 'Of the last complete state. To do' : 'There is no price yet'}${rest.length ? ':' : '.'}`}</p>
          <ul>
            {rest.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {priced ? <Sums {...priced} /> : null}
    </section>
  );
}

function Sums({ price, terms }: Priced) {
  return (
    <>
      <table>
        <caption className="visually-hidden">{terms.end ? 'For the term' : 'For a week'}</caption>
        <tbody>
          {priceRows(price, terms).map(({ post, title, parts, cents, isManual }, nth) => (
            <tr key={nth}>
              <th scope="row">
                {terms.posts.length > 1 && post !== null ? `${nameOf(terms, post)}: ${title}` : title}
                {isManual ? <span className="offer-mark">by hand</span> : null}
                {parts.map((part) => (
                  <span key={part} className="offer-how">
                    {part}
                  </span>
                ))}
              </th>
              <td>{dollars(cents)}</td>
            </tr>
          ))}
          {price.discount ? (
            <tr>
              <th scope="row">
                Discount<span className="offer-how">{terms.discount?.reason}</span>
              </th>
              <td>{dollars(-price.discount)}</td>
            </tr>
          ) : null}
          {price.taxes.map(({ title, basis_points: part, taxable, cents, state }) => (
            <tr key={state}>
              <th scope="row">
                {title}
                <span className="offer-how">{`${part / 100}% of ${dollars(taxable)}`}</span>
              </th>
              <td>{dollars(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="offer-total" role="status">
        <span>{terms.end ? 'Total' : 'Each week'}</span> <strong>{dollars(price.total)}</strong>
        {price.month === null ? null : (
          <span className="offer-how">{`about ${dollars(price.month)} a month`}</span>
        )}
      </p>
    </>
  );
}

const nameOf = ({ posts }: Terms, nth: number) => posts[nth]?.title || `Post ${nth + 1}`;

/** The total again, beside the buttons; screen readers hear the one above. */
export function Total({ priced, isLast }: Pick<Props, 'priced' | 'isLast'>) {
  if (!priced) return null;
  const { price, terms } = priced;
  return (
    <span className="offer-value" aria-hidden="true">
      {isLast ? <span className="offer-how">last complete</span> : null}
      {`${dollars(price.total)}${terms.end ? '' : ' a week'}`}
    </span>
  );
}
