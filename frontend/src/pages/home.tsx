// Home: the story, which is adopted as it stands, and the contact section, which is alive.
import type { PageProps } from '../routes';
import { ContactSection, contactIslands } from '../sections/contact-section';
import { staticIsland } from '../static-island';

const HomeContent = staticIsland(() => import('../sections/home-content'));

export const parts = [HomeContent, ...contactIslands];

export default function Home({ search }: PageProps) {
  return (
    <>
      <HomeContent />
      <ContactSection search={search} />
    </>
  );
}
