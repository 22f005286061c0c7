// The quote page.
import type { PageProps } from '../routes';

export default function Quote({ page }: PageProps) {
  return <h1>{page.menu}</h1>;
}
