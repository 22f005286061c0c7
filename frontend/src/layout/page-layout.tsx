// The layout of every public page: skip link, header, main and footer.
import type { ReactNode } from 'react';
import { staticIsland } from '../static-island';

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
      <Footer path={path} />
    </>
  );
}
