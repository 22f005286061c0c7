// The home page.
import type { PageProps } from '../routes';

export default function Home({ page }: PageProps) {
  return <h1>{page.menu}</h1>;
}
