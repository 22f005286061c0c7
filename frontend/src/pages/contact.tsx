// The Contact page: the contact section, as a page.
import type { PageProps } from '../routes';
import { ContactSection, contactParts } from '../sections/contact-section';

export const parts = contactParts;

export default function Contact({ search }: PageProps) {
  return <ContactSection search={search} first />;
}
