// The About section of Home, and the parts that the About page shares.

import { licenseOf } from '../../content/conditions';
import { contactMailto, profile } from '../../content/profile';
import { ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { LineIcon } from '../../ui/line-icon';
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
          <ContactToday />
        </div>
        <div>
          <h3 className="minor-title">Our mission</h3>
          <p>{marked(purpose ?? '')}</p>
        </div>
      </div>
      <Credentials brief />
      <div className="actions call-line">
        <p>Ask us for license numbers, a certificate of insurance or a site walk.</p>
        <ButtonLink href="/contact?service=certificate" look="line">
          Ask for a certificate or vendor packet
        </ButtonLink>
      </div>
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

const paths: Record<string, string> = {
  licensed: 'M3.5 5.5h17v13h-17zM7 9.5h3.5v4H7zM13.5 10h4M13.5 13h4M7 16h10.5',
  insured: 'M12 4.5a8.5 8.5 0 0 1 8.5 8h-17a8.5 8.5 0 0 1 8.5-8zM12 3v1.5M12 12.5V19a1.8 1.8 0 0 0 3.6 0',
  bonded:
    'M12 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM9 14l-1.5 7 4.5-2.5L16.5 21 15 14M10 9l1.5 1.5L14 7.5',
  'first-aid': 'M9 3.5h6V9h5.5v6H15v5.5H9V15H3.5V9H9z',
  bsis: 'M12 3l2.4 2.2 3.2-.4.7 3.2 2.7 1.8-1.4 2.9.7 3.2-3.1.9-1.6 2.8-3-1.1-3 1.1-1.6-2.8-3.1-.9.7-3.2L3 9.8 5.7 8l.7-3.2 3.2.4zM8.8 12l2.3 2.3 4.2-4.6',
  checked: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.2 15.2l5.3 5.3M7.8 10.6l2 2 3.5-4',
};

/**
 * The icons of the six credentials, by their keys in seeds/site/company.json. Separate from
 * icon.tsx because only Home and About show them.
 */
function CredentialIcon({ name }: { name: string }) {
  return <LineIcon path={paths[name] ?? ''} />;
}
