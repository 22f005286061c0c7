// The contact section of Home and of the Contact page: ways to reach us, the form, and the way for those in a hurry.
import { ContactForm } from '../forms/contact-form';
import { still } from '../still';
import { Section } from './section';

const Cards = still(() => import('./contact-cards'));
const RightNow = still(() => import('./right-now'));

/** What must be ready before the section is drawn from nothing. */
export const contactParts = [Cards, RightNow];

export function ContactSection({ search, first }: { search: string; first?: boolean }) {
  return (
    <Section
      id="contact"
      time={first ? undefined : '06:00'}
      kicker="Contact"
      title="Tell us what must be watched"
      ground="mist"
      first={first ?? false}
    >
      {first ? <h2 className="visually-hidden">Ways to reach us</h2> : null}
      <div className="contact-columns">
        <Cards />
        <div className="panel">
          <h3 className="panel-title">Get Your Free Quote</h3>
          <ContactForm search={search} />
        </div>
      </div>
      <RightNow />
    </Section>
  );
}
