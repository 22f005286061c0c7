// The head of the quote page: what the form gives, at a gate at night.
import { PageHead } from './page-head';

export default function QuoteHead() {
  return (
    <PageHead
      title="Get Your Free Security Quote"
      lead="Say where, when and for how long. A written price reaches you within 24 hours."
      scene="guards"
    />
  );
}
