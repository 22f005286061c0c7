// The head of the contact page.
import { company } from '../../company';
import { PageHead } from '../page-head';

export default function ContactHead() {
  return (
    <PageHead
      title="Tell us what you need protected"
      lead={`Call day and night, or write and a manager answers within ${company.promise_answer}.`}
      scene="contact"
    />
  );
}
