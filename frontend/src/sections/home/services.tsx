// The seven service cards.
import { cards } from '../../content/services';
import { ScenePicture } from '../../scenes/picture';
import { ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { ServiceIcon } from '../../ui/service-icon';
import { Section } from '../section';

export function Services() {
  return (
    <Section id="services" kicker="Services" title="Guards, patrols and cameras. One phone number.">
      <div className="services">
        {cards.map(({ key, icon, scene, title, description, features, link }) => (
          <article key={key} className="card service">
            <ScenePicture name={scene} />
            <div className="service-text">
              <h3>
                <ServiceIcon name={icon} />
                {title}
              </h3>
              <p>{description}</p>
              <ul className="checklist">
                {features.map((feature) => (
                  <li key={feature}>{feature}</li>
                ))}
              </ul>
              <ButtonLink href={link} look="quiet">
                <span>Learn More</span>
                <span className="visually-hidden">{` about ${title}`}</span>
                <Icon name="arrow" />
              </ButtonLink>
            </div>
          </article>
        ))}
      </div>
    </Section>
  );
}
