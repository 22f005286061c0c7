// The about page.
import type { PageProps } from '../routes';

export default function About({ page }: PageProps) {
  return <h1>{page.menu}</h1>;
}
