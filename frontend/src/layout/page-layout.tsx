// The layout of every public page: skip link, header, main, footer, and the bottom bar of small
// screens.
import type { ReactNode } from 'react';
import { company } from '../company';
import { staticIsland } from '../static-island';
import { LineIcon, phonePath } from '../ui/line-icon';

const Header = staticIsland(() => import('./header'));
const Footer = staticIsland(() => import('./footer'));

/** Loads the header and the footer for rendering in the browser. */
export async function preloadLayout() {
  await Promise.all([Header.preload(), Footer.preload()]);
}

export function PageLayout({ path, children }: { path: string; children: ReactNode }) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header path={path} />
      <main id="main">{children}</main>
      <Footer />
      <nav className="bottom-bar" aria-label="Call or quote">
        <a className="button button-signal" href={company.phone_href}>
          <LineIcon path={phonePath} />
          Call
        </a>
        <a className="button button-line" href="/quote">
          Get Quote
        </a>
      </nav>
    </>
  );
}
