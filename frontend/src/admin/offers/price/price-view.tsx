// The price of a draft as one types: each thing with how its amount came about, taxes, the total.

import type { Price, Terms } from '../../../api/offer-types';
import { dollars } from './amounts';
import { priceRows } from './rows';

type Props = {
  price: Price | undefined;
  terms: Terms;
  /** What has to be mended before there is a price. */
  missing: string[];
};

export function PriceView({ price, terms, missing }: Props) {
  if (!price) {
    return (
      <section className="offer-price" aria-label="Price">
        <p className="muted">{missing.length ? 'There is no price yet:' : 'There is no price yet.'}</p>
        <ul>
          {missing.slice(0, 4).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </section>
    );
  }
  return (
    <section className="offer-price" aria-label="Price">
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
    </section>
  );
}

const nameOf = ({ posts }: Terms, nth: number) => posts[nth]?.title || `Post ${nth + 1}`;

/** The total again, beside the buttons; screen readers hear the one above. */
export function Total({ price, terms }: Pick<Props, 'price' | 'terms'>) {
  if (!price) return null;
  return (
    <span className="offer-value" aria-hidden="true">
      {`${dollars(price.total)}${terms.end ? '' : ' a week'}`}
    </span>
  );
}
