// The quote page: what to expect on one side, the form on the other.
import { QuoteForm } from '../forms/quote-form';
import type { PageProps } from '../routes';
import { still } from '../still';

const Aside = still(() => import('../sections/quote-aside'));

export const parts = [Aside];

export default function Quote({ search }: PageProps) {
  return (
    <>
      <section className="quote-hero band-ink">
        <div className="column">
          <h1>Get Your Free Security Quote</h1>
          <p className="lead muted">
            Say where, when and for how long. A written price reaches you within 24 hours.
          </p>
        </div>
      </section>
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
