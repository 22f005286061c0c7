// The quote page: the form and a sidebar.

import type { PageProps } from '../content/route-manifest';
import { Confirmation } from '../forms/confirmation';
import { FileField, QuoteForm } from '../forms/quote-form';
import { type StaticIsland, staticIsland } from '../static-island';
import '../styles/pages/quote.css';

const Head = staticIsland(() => import('../sections/quote-head'));
const Aside = staticIsland(() => import('../sections/quote-aside'));

export const islands = [Head, Aside, FileField, Confirmation as StaticIsland];

export default function Quote({ search }: PageProps) {
  return (
    <>
      <Head />
      <section className="band band-mist" aria-label="Quote request">
        <div className="column quote-columns">
          <div className="panel">
            <QuoteForm search={search} />
          </div>
          <Aside />
        </div>
      </section>
    </>
  );
}
