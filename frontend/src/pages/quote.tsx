// The quote page: what to expect on one side, the form on the other.
import { company } from '../company';
import { QuoteForm } from '../forms/quote-form';
import type { PageProps } from '../routes';

export default function Quote({ search }: PageProps) {
  return (
    <>
      <section className="band band-ink">
        <div className="column">
          <h1>Get Your Free Security Quote</h1>
          <p className="lead muted">Six facts about the post, a written price within 24 hours.</p>
        </div>
      </section>
      <section className="band">
        <div className="column split">
          <a href={company.phone_href}>{company.phone}</a>
          <QuoteForm search={search} />
        </div>
      </section>
    </>
  );
}
