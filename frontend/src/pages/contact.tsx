// The Contact page: its head, the contact section, and what happens after a message is sent.
import type { PageProps } from '../content/route-manifest';
import { ContactColumns, contactIslands } from '../sections/contact/contact-section';
import { staticIsland } from '../static-island';
import '../styles/sections/contact.css';
import '../styles/sections/office.css';

const Head = staticIsland(() => import('../sections/contact/contact-head'));
const After = staticIsland(() => import('../sections/contact/after-you-write'));

export const islands = [Head, After, ...contactIslands];

export default function Contact({ search }: PageProps) {
  return (
    <>
      <Head />
      <section id="contact" className="band band-mist" aria-labelledby="ways">
        <div className="column">
          <h2 id="ways" className="visually-hidden">
            Ways to reach us
          </h2>
          <ContactColumns search={search} />
        </div>
      </section>
      <After />
    </>
  );
}
