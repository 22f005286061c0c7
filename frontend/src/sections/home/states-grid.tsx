// All 50 states as a map and a list of links, and the phone number.
import { company } from '../../company';
import { states } from '../../content/states';
import { UsMap } from '../../scenes/us-map';
import { ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Section } from '../section';

/** What a visitor asks first about a state; the page of the state has the rest. */
const facts = states.map(({ slug, name, code, licensing }) => {
  const rules = licensing.statewide ? 'guards licensed by the state' : 'cities set the rules';
  return { slug, name, code, fact: `${name}: ${rules}, on site in ${company.promise_arrival}` };
});

export function StatesGrid() {
  return (
    <Section id="states" kicker="50 States Covered" title="Guards in all 50 states" background="ink">
      <UsMap of={facts} />
      <ul className="states plain-list">
        {facts.map(({ slug, name, fact }) => (
          <li key={slug}>
            <a href={`/states/${slug}`} data-fact={fact}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      <div className="actions call-line">
        <p className="lead">Need a guard tonight? One number covers every state.</p>
        <ButtonLink href={company.phone_href}>
          <Icon name="phone" />
          {`Call ${company.phone}`}
        </ButtonLink>
      </div>
    </Section>
  );
}
