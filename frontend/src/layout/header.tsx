// The header of every public page. Menus are <details>, so they open without JavaScript.
import { company } from '../company';
import { ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';

const services = [
  ['/fire-watch', 'Fire Watch Guards'],
  ['/security-services', 'Security Guard Services'],
  ['/mobile-patrol', 'Mobile Patrol'],
  ['/surveillance', 'Surveillance Services'],
  ['/concierge', 'Concierge Services'],
] as const;

export function Header({ path }: { path: string }) {
  return (
    <header className="site-header">
      <a href="/">{company.name}</a>
      <nav aria-label="Main">
        <details>
          <summary>
            Services <Icon name="chevron" />
          </summary>
          <ul>
            {services.map(([href, label]) => (
              <li key={href}>
                <a href={href} aria-current={href === path ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </details>
        <a href="/about">About</a>
        <a href="/contact">Contact</a>
        <ButtonLink href="/quote">GET QUOTE</ButtonLink>
      </nav>
    </header>
  );
}
