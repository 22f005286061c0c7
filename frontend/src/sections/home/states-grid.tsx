// All 50 states as a map and a list of links, and the phone number.
import { company } from '../../company';
import { states } from '../../content/states';
import { UsMap } from '../../scenes/us-map';
import { ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Section } from '../section';

export function StatesGrid() {
  return (
    <Section id="states" kicker="50 States Covered" title="Guards in all 50 states" background="ink">
      <UsMap />
      <ul className="states plain-list">
        {states.map(({ slug, name }) => (
          <li key={slug}>
            <a href={`/states/${slug}`}>{name}</a>
          </li>
        ))}
      </ul>
      <div className="call-line">
        <p className="lead">Need a guard tonight? One number covers every state.</p>
        <ButtonLink href={company.phone_href}>
          <Icon name="phone" />
          {`Call ${company.phone}`}
        </ButtonLink>
      </div>
    </Section>
  );
}
