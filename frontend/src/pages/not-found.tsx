// The 404 page. It logs the missing path to the console.
import { useEffect } from 'react';
import { company } from '../company';
import type { PageProps } from '../content/route-manifest';
import { ScenePicture } from '../scenes/picture';
import { DarkBand } from '../sections/dark-band';
import { ButtonLink } from '../ui/button';

export default function NotFound(_: PageProps) {
  useEffect(() => {
    console.error(`404: there is no page at ${location.pathname}`);
  }, []);
  return (
    <DarkBand picture={<ScenePicture name="closed-gate" />}>
      <p className="log-line">
        <span>404</span>
      </p>
      <h1>Oops! Page not found</h1>
      <p className="lead">
        {'We can’t find that page. Call '}
        <a href={company.phone_href}>{company.phone}</a>
      </p>
      <p className="actions">
        <ButtonLink href="/">Return to Home</ButtonLink>
      </p>
    </DarkBand>
  );
}
