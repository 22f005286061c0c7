// The seven service cards.

import { cards } from '../../content/services';
import { ScenePicture } from '../../scenes/picture';
import { ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { LineIcon } from '../../ui/line-icon';
import { Section } from '../section';

/** Two sentences, each on a line of its own where there is room. */
const title = (
  <>
    Guards, patrols and cameras. <br />
    One phone number.
  </>
);

export function Services() {
  return (
    <Section id="services" kicker="Services" title={title}>
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

const paths: Record<string, string> = {
  flame: 'M12 3c1 4 5.5 6 5.5 11a5.5 5.5 0 0 1-11 0c0-2.5 1.5-4 2.5-5.5.5 1.5 1 2 2 2.5 0-3 0-5 1-8Z',
  shield: 'M12 3l7.5 2.5v6c0 4.5-3.2 7.9-7.5 9.5-4.3-1.6-7.5-5-7.5-9.5v-6zM8.5 12l2.5 2.5 4.5-5',
  building: 'M5 20.5v-17h9v17M14 9.5h5v11M3 20.5h18M8 7.5h3M8 11.5h3M8 15.5h3',
  camera: 'M3.5 6.5l12-2 1 5.5-12 2zM16.3 7.5l3.7-.6v2.5M8 11.5l1 4.5h-5.5M3.5 13v6',
  siren: 'M7 16.5v-4a5 5 0 0 1 10 0v4M4.5 20.5h15v-4h-15zM12 3v1.5M4.5 6l1.2 1.2M19.5 6l-1.2 1.2',
  ticket: 'M3.5 7.5h17v3a1.8 1.8 0 0 0 0 3.5v3h-17v-3a1.8 1.8 0 0 0 0-3.5zM14 8v1.5M14 11.5v1.5M14 15v1.5',
  bell: 'M4 17.5h16M5.5 17.5a6.5 6.5 0 0 1 13 0M12 11v-2.5M10 8.5h4M4 20.5h16',
};

/**
 * The icons of the seven services, by their names in seeds/site/services.json. Separate from
 * icon.tsx because only Home shows them.
 */
function ServiceIcon({ name }: { name: string }) {
  return <LineIcon path={paths[name] ?? ''} />;
}
