// Home: the story, which is adopted as it stands, and the contact section, which is alive.
import type { PageProps } from '../routes';
import { ContactSection, contactParts } from '../sections/contact-section';
import { still } from '../still';

const Story = still(() => import('../sections/home-story'));

export const parts = [Story, ...contactParts];

export default function Home({ search }: PageProps) {
  return (
    <>
      <Story />
      <ContactSection search={search} />
    </>
  );
}
