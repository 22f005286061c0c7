// The head of the contact page.
import { PageHead } from './page-head';

export default function ContactHead() {
  return (
    <PageHead
      title="Tell us what must be watched"
      lead="Call at any hour, or write: somebody who can decide answers within 24 hours."
      scene="concierge"
    />
  );
}
