// The footer of every public page. The quick links lead to sections of Home.
import { company } from '../company';
import { Icon } from '../ui/icon';
import { companyLinks, legal, moreServices, type NavLink, services } from './nav-links';

const quick: NavLink[] = [
  { href: '/#home', label: 'Home' },
  { href: '/#about', label: 'About' },
  { href: '/#services', label: 'Services' },
  { href: '/#contact', label: 'Contact' },
  { href: '/quote', label: 'Get Quote' },
];

export default function Footer() {
  return (
    <footer className="site-footer">
      <div className="column">
        <div className="footer-columns">
          <section aria-labelledby="footer-services">
            <h2 id="footer-services">Services</h2>
            <Links of={services} />
          </section>
          <section aria-labelledby="footer-sites">
            <h2 id="footer-sites">Sites and events</h2>
            <Links of={moreServices} />
          </section>
          <section aria-labelledby="footer-company">
            <h2 id="footer-company">Company</h2>
            <Links of={companyLinks} />
          </section>
          <section aria-labelledby="footer-links">
            <h2 id="footer-links">Quick links</h2>
            <Links of={[...quick, { href: company.phone_href, label: 'Emergency' }]} />
          </section>
          <section aria-labelledby="footer-contact" className="footer-wide">
            <h2 id="footer-contact">Contact</h2>
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
            <h2 id="footer-night">Need a guard tonight?</h2>
            <p>{`We answer day and night. Emergency guards are on site in ${company.promise_arrival}.`}</p>
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
