// What the company says of itself: figures, credentials, mission, the mail draft. From seeds/site/company.json. The facts
// an operator sets (name, phone, address) are not here but in company.ts.
import profile from '@seeds/site/company.json';
import { company } from '../company';

export { profile };

/** The mail draft of the "Contact Us Today" buttons. */
export function contactMailto(): string {
  const { subject, body } = profile.mail_draft;
  const text = encodeURIComponent(body.replaceAll('\n', '\r\n'));
  return `mailto:${company.email}?subject=${encodeURIComponent(subject)}&body=${text}`;
}
