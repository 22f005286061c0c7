// The contact section of Home and the body of the Contact page: contact methods, the form, and the
// urgent call to action.
import { Confirmation } from '../../forms/confirmation';
import { ContactForm } from '../../forms/contact-form';
import { type StaticIsland, staticIsland } from '../../static-island';
import { Section } from '../section';

const Cards = staticIsland(() => import('./contact-cards'));
const UrgentCall = staticIsland(() => import('./urgent-call'));

/** The islands to preload before the section is rendered in the browser. */
export const contactIslands = [Cards, UrgentCall, Confirmation as StaticIsland];

/** The section of Home, under a separate heading. */
export function ContactSection({ search }: { search: string }) {
  return (
    <Section id="contact" kicker="Contact" title="Tell us what you need protected" background="mist">
      <ContactColumns search={search} />
    </Section>
  );
}

export function ContactColumns({ search }: { search: string }) {
  return (
    <>
      <div className="contact-columns">
        <Cards />
        <div className="panel">
          <h3 className="panel-title">Get Your Free Quote</h3>
          <ContactForm search={search} />
        </div>
      </div>
      <UrgentCall />
    </>
  );
}
