// Contact methods: phone, email, address, hours, and the emergency number.
import type { ReactNode } from 'react';
import { company } from '../../company';
import { ButtonLink } from '../../ui/button';
import { Icon, type IconName } from '../../ui/icon';

export default function ContactCards() {
  return (
    <div className="contact-ways">
      <ul className="contact-cards plain-list">
        <ContactMethod icon="phone" title="Phone">
          <a href={company.phone_href}>{company.phone}</a>
        </ContactMethod>
        <ContactMethod icon="mail" title="Email">
          <a href={`mailto:${company.email}`}>{company.email}</a>
        </ContactMethod>
        <ContactMethod icon="pin" title="Address">
          {company.street}
          <br />
          {`${company.city}, ${company.region} ${company.postal_code}`}
        </ContactMethod>
        <ContactMethod icon="clock" title="Hours">
          {company.hours}
        </ContactMethod>
      </ul>
      <div className="emergency band-ink">
        <h3>Emergency Response</h3>
        <p>Need a guard tonight? Don’t wait for an email: call, and a dispatcher will start right away.</p>
        <ButtonLink href={company.phone_href} wide>
          <Icon name="phone" />
          {`Call ${company.phone}`}
        </ButtonLink>
      </div>
    </div>
  );
}

function ContactMethod({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <div>
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
    </li>
  );
}
