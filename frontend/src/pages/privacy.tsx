// The privacy page.
import type { PageProps } from '../routes';

export default function Privacy({ page }: PageProps) {
  return <h1>{page.menu}</h1>;
}
