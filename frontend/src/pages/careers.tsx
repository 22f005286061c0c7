// The careers page. Its form sends a contact message whose service is `careers`.

import type { PageProps } from '../content/route-manifest';
import { Confirmation } from '../forms/confirmation';
import { ContactForm } from '../forms/contact-form';
import { type StaticIsland, staticIsland } from '../static-island';
import '../styles/inner.css';
import '../styles/sections/certificate.css';

const Content = staticIsland(() => import('../sections/careers-content'));
const Ready = staticIsland(() => import('../sections/careers-ready'));

export const islands = [Content, Ready, Confirmation as StaticIsland];

export default function Careers({ search }: PageProps) {
  return (
    <>
      <Content />
      <section id="apply" className="band band-mist" aria-labelledby="apply-title">
        <div className="column beside">
          <div>
            <p className="kicker">Apply</p>
            <h2 id="apply-title">Tell us about yourself</h2>
            <Ready />
          </div>
          <div className="panel">
            <ContactForm
              search={search}
              action="/careers"
              label="Careers"
              service="careers"
              about="About you"
              hint="Where you live, when you can work, and your experience"
            />
          </div>
        </div>
      </section>
    </>
  );
}
