// Who we are and what we are for; a section of Home and the body of the About page.
import { fill } from '../company';
import { mailDraft, profile } from '../content/profile';
import { ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';
import { Section } from './section';

const { mission, credentials } = profile;
const [history, purpose, ...more] = mission.paragraphs;

export function About({ first }: { first?: boolean }) {
  const Heading = first ? 'h2' : 'h3';
  return (
    <Section
      id="about"
      time={first ? undefined : '20:00'}
      kicker={mission.kicker}
      title={mission.heading}
      ground="mist"
      first={first ?? false}
    >
      <div className="split">
        <div>
          <p className="lead">{fill(mission.lead)}</p>
          <p>{history}</p>
          <ContactToday />
        </div>
        <div>
          <Heading className="minor-title">Our mission</Heading>
          <p>{purpose}</p>
          {more.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <ContactToday />
        </div>
      </div>
      <dl className="promises promises-wide">
        {mission.promises.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <ul className="credentials plain-list">
        {credentials.map(({ key, title, text }) => (
          <li key={key}>
            <Icon name="shield" />
            <div>
              <Heading className="minor-title">{title}</Heading>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Opens a mail to the office with its subject and body begun. */
function ContactToday() {
  return (
    <p className="actions">
      <ButtonLink href={mailDraft()} look="ink">
        <Icon name="mail" />
        {mission.button}
      </ButtonLink>
    </p>
  );
}
