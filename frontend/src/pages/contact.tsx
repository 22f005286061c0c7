// The contact page.
import type { PageProps } from '../routes';

export default function Contact({ page }: PageProps) {
  return <h1>{page.menu}</h1>;
}
