// What surrounds every public page: skip link, header, main, footer, and the bottom bar of small screens.
import type { ReactNode } from 'react';
import { company } from '../company';
import { still } from '../still';
import { Icon } from '../ui/icon';

const Header = still(() => import('./header'));
const Footer = still(() => import('./footer'));

/** Loads what the frame is drawn with, where there is none in the document. */
export async function frameReady() {
  await Promise.all([Header.ready(), Footer.ready()]);
}

export function Frame({ path, children }: { path: string; children: ReactNode }) {
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
          <Icon name="phone" />
          Call
        </a>
        <a className="button button-line" href="/quote">
          Get Quote
        </a>
      </nav>
    </>
  );
}
