// The service-landing page.
import type { PageProps } from '../routes';

export default function ServiceLanding({ page }: PageProps) {
  return <h1>{page.menu}</h1>;
}
