// The licensing page.
import type { PageProps } from '../routes';

export default function Licensing({ page }: PageProps) {
  return <h1>{page.menu}</h1>;
}
