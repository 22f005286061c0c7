// The footer of every public page, with the bottom bar of small screens. The quick links lead to
// sections of Home.
import { company } from '../company';
import { Icon } from '../ui/icon';
import { companyLinks, hasAsked, legal, moreServices, type NavLink, prices, services } from './nav-links';

const quick: NavLink[] = [
  { href: '/#home', label: 'Home' },
  { href: '/#about', label: 'About' },
  { href: '/#services', label: 'Services' },
  { href: '/#contact', label: 'Contact' },
  { href: '/quote', label: 'Get Quote' },
];

export default function Footer({ path }: { path: string }) {
  return (
    <>
      <footer className="site-footer">
        <div className="column">
          <div className="footer-columns">
            <section aria-labelledby="footer-services">
              <p id="footer-services" className="footer-title">
                Services
              </p>
              <Links of={services} />
            </section>
            <section aria-labelledby="footer-sites">
              <p id="footer-sites" className="footer-title">
                Sites and events
              </p>
              <Links of={moreServices} />
            </section>
            <section aria-labelledby="footer-company">
              <p id="footer-company" className="footer-title">
                Company
              </p>
              <Links of={[...companyLinks, prices]} />
            </section>
            <section aria-labelledby="footer-links">
              <p id="footer-links" className="footer-title">
                Quick links
              </p>
              <Links of={[...quick, { href: company.phone_href, label: 'Emergency' }]} />
            </section>
            <section aria-labelledby="footer-contact" className="footer-wide">
              <p id="footer-contact" className="footer-title">
                Contact
              </p>
              <ul>
                <li>
                  <a href={company.phone_href}>{company.phone}</a>
                </li>
                <li>
                  <a href={`mailto:${company.email}`}>{company.email}</a>
                </li>
                <li>{company.street}</li>
                <li>{`${company.city}, ${company.region} ${company.postal_code}`}</li>
              </ul>
            </section>
            <section aria-labelledby="footer-night" className="footer-wide">
              <p id="footer-night" className="footer-title">
                Need a guard tonight?
              </p>
              <p>A dispatcher answers day and night, holidays included.</p>
              <a className="button button-line" href={company.phone_href}>
                <Icon name="phone" />
                {company.phone}
              </a>
            </section>
          </div>
          <div className="footer-end">
            <p>{`© ${company.year} ${company.legal_name}`}</p>
            {legal.map(({ href, label }) => (
              <a key={href} href={href}>
                {label}
              </a>
            ))}
          </div>
        </div>
      </footer>
      {hasAsked(path) ? null : (
        <nav className="bottom-bar" aria-label="Call or quote">
          <a className="button button-signal" href={company.phone_href}>
            <Icon name="phone" />
            Call
          </a>
          <a className="button button-line" href="/quote">
            Get Quote
          </a>
        </nav>
      )}
    </>
  );
}

function Links({ of }: { of: NavLink[] }) {
  return (
    <ul>
      {of.map(({ href, label }) => (
        <li key={label}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  );
}
