// The head of the contact page.
import { PageHead } from './page-head';

export default function ContactHead() {
  return (
    <PageHead
      title="Tell us what you need protected"
      lead="Call 24 hours a day, or write and a manager replies within 24 hours."
      scene="concierge"
    />
  );
}
