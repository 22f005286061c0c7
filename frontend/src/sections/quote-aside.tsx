// The sidebar of the quote form: contact methods and reasons to choose us.
import { company } from '../company';
import { Icon } from '../ui/icon';

const reasons = [
  ['Licensed professionals', 'Licensed in your state, insured, bonded and background checked.'],
  ['24/7 availability', 'The desk answers at any hour. Emergency posts are filled in 2 to 4 hours.'],
  ['Proven track record', '15+ years and over 1,000 client locations.'],
] as const;

export default function QuoteAside() {
  return (
    <div>
      <section className="aside-card" aria-labelledby="reach-us">
        <h2 id="reach-us">Rather talk?</h2>
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
        <dl className="commitments">
          {reasons.map(([title, text]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
