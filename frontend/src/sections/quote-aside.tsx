// The sidebar of the quote form: contact methods, reasons to choose us, and what affects the price.
import { company } from '../company';
import { profile } from '../content/profile';
import { Icon } from '../ui/icon';
import { Rows } from './rows';

const { price, reasons } = profile;

export default function QuoteAside() {
  return (
    <div>
      <section className="aside-card" aria-labelledby="reach-us">
        <h2 id="reach-us">Prefer to talk?</h2>
        <ul className="plain-list">
          <li>
            <Icon name="phone" />
            <a href={company.phone_href}>{company.phone}</a>
          </li>
          <li>
            <Icon name="mail" />
            <a href={`mailto:${company.email}`}>{company.email}</a>
          </li>
          <li>
            <Icon name="pin" />
            Service area: all 50 states
          </li>
        </ul>
      </section>
      <section className="aside-card" aria-labelledby="why-us">
        <h2 id="why-us">{`Why Choose ${company.name}?`}</h2>
        <Rows of={reasons} look="commitments" />
      </section>
      <section className="aside-card" aria-labelledby="price">
        <h2 id="price">{price.heading}</h2>
        <p>{price.text}</p>
        <p>{price.items.map(({ title }) => title).join('\u00a0· ')}</p>
        <p>
          <a href="/prices">How each one affects the price</a>
        </p>
      </section>
    </div>
  );
}
