// Home: a static island and the interactive contact section.
import type { PageProps } from '../content/route-manifest';
import { ContactSection, contactIslands } from '../sections/contact/contact-section';
import { staticIsland } from '../static-island';
import '../styles/home.css';

const HomeContent = staticIsland(() => import('../sections/home/home-content'));

export const islands = [HomeContent, ...contactIslands];

export default function Home({ search }: PageProps) {
  return (
    <>
      <HomeContent />
      <ContactSection search={search} />
    </>
  );
}
