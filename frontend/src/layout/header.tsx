// The header of every public page. Menus are <details> elements that work without JavaScript;
// header-menus.ts adds Escape, closing on outside clicks, and the mark of the current page.

import { company } from '../company';
import { ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';
import {
  companyLinks,
  contact,
  hasAsked,
  home,
  moreServices,
  type NavLink,
  prices,
  services,
} from './nav-links';

export default function Header({ path }: { path: string }) {
  const current = (href: string) => (href === path ? ('page' as const) : undefined);
  const link = ({ href, label }: NavLink) => (
    <a className="nav-link" href={href} aria-current={current(href)}>
      {label}
    </a>
  );
  const submenu = (className: string, title: string, links: NavLink[]) => (
    <details className={className}>
      <summary className="nav-link">
        {title}
        <Icon name="chevron" />
      </summary>
      <ul>
        {links.map(({ href, label }) => (
          <li key={href}>
            <a href={href} aria-current={current(href)}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );

  return (
    <>
      <section className="top-bar" aria-label="Reach us">
        <div className="column">
          <a href={company.phone_href}>
            <Icon name="phone" />
            {company.phone}
          </a>
          <a href={`mailto:${company.email}`}>
            <Icon name="mail" />
            {company.email}
          </a>
          <span className="top-bar-end">
            <Icon name="pin" />
            {company.address}
          </span>
        </div>
      </section>
      <header className="site-header">
        <div className="column main-bar">
          <Logo />
          <nav className="nav-wide" aria-label="Main">
            {link(home)}
            {submenu('dropdown', 'Services', services)}
            {submenu('dropdown', 'Sites and Events', moreServices)}
            {link(prices)}
            {submenu('dropdown', 'Company', companyLinks)}
            {link(contact)}
          </nav>
          {hasAsked(path) ? (
            <ButtonLink href={company.phone_href}>CALL US</ButtonLink>
          ) : (
            <ButtonLink href="/quote" aria-current={current('/quote')}>
              GET QUOTE
            </ButtonLink>
          )}
          <details className="menu">
            <summary>
              <Icon name="menu" />
              <Icon name="close" />
              <span>Menu</span>
            </summary>
            <nav className="menu-panel" aria-label="Main">
              <ul>
                <li>{link(home)}</li>
                <li>{submenu('menu-services', 'Services', services)}</li>
                <li>{submenu('menu-services', 'Sites and Events', moreServices)}</li>
                <li>{link(prices)}</li>
                <li>{submenu('menu-services', 'Company', companyLinks)}</li>
                <li>{link(contact)}</li>
                {hasAsked(path) ? null : <li>{link({ href: '/quote', label: 'Get Quote' })}</li>}
              </ul>
            </nav>
          </details>
        </div>
      </header>
    </>
  );
}

/** The logo and the company name, linked to Home. */
function Logo() {
  return (
    <a className="logo" href="/">
      <svg viewBox="0 0 32 36" aria-hidden="true">
        <path fill="#0c1a2c" d="M1 9 16 1l15 8v4H1zM4 15h24v20H4z" />
        <path fill="#ffb224" d="M9 19h14v7H9z" />
        <path stroke="#0c1a2c" strokeWidth="1.5" d="M16 19v7" />
      </svg>
      <span>{company.name}</span>
    </a>
  );
}
