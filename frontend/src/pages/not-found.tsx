// Answers every unknown path, with status 404. The console names the missing path for whoever looks for the bad link.
import { useEffect } from 'react';
import type { PageProps } from '../routes';
import { ButtonLink } from '../ui/button';

export default function NotFound(_: PageProps) {
  useEffect(() => {
    console.error(`404: there is no page at ${location.pathname}`);
  }, []);
  return (
    <section className="column not-found">
      <p className="not-found-code">404</p>
      <h1>Oops! Page not found</h1>
      <ButtonLink href="/">Return to Home</ButtonLink>
    </section>
  );
}
