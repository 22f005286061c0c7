// The terms page.
import type { PageProps } from '../routes';

export default function Terms({ page }: PageProps) {
  return <h1>{page.menu}</h1>;
}
