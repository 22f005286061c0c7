// The About section of Home, and the parts that the About page shares.
import { licenseOf } from '../../content/conditions';
import { contactMailto, profile } from '../../content/profile';
import { ButtonLink } from '../../ui/button';
import { CredentialIcon } from '../../ui/credential-icon';
import { Icon } from '../../ui/icon';
import { marked } from '../../ui/marked';
import { Section } from '../section';

const { mission, credentials } = profile;
const [, purpose] = mission.paragraphs;

/** The section of Home. */
export function About() {
  return (
    <Section id="about" kicker={mission.kicker} title={mission.heading} background="mist">
      <div className="split">
        <div>
          <p className="lead">{mission.lead}</p>
        </div>
        <div>
          <h3 className="minor-title">Our mission</h3>
          <p>{marked(purpose ?? '')}</p>
          <ContactToday />
        </div>
      </div>
      <Credentials brief />
      <ContactToday />
    </Section>
  );
}

/** Our credentials; `brief`: their names only. */
export function Credentials({ brief }: { brief?: boolean }) {
  return (
    <ul className="credentials plain-list">
      {credentials.map(({ key, title, text }) => (
        <li key={key}>
          <CredentialIcon name={key} />
          <div>
            <h3 className="minor-title">{title}</h3>
            {brief ? null : <p>{text}</p>}
            {key === 'bsis' ? <StateLicense code="CA" /> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

function StateLicense({ code }: { code: string }) {
  const { number } = licenseOf(code);
  return number ? <p className="muted" data-if={`company.licenses.${code}`}>{`License ${number}`}</p> : null;
}

/** A button that opens an email to the office with subject and body filled in. */
export function ContactToday({ look = 'ink' }: { look?: 'ink' | 'signal' }) {
  return (
    <p className="actions">
      <ButtonLink href={contactMailto()} look={look}>
        <Icon name="mail" />
        {mission.button}
      </ButtonLink>
    </p>
  );
}
