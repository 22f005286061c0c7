// The company profile: figures, credentials, mission and the contact email template, from
// seeds/site/company.json. Configurable company data (name, phone, address) is in company.ts.
import seed from '@seeds/site/company.json';
import { company } from '../company';
import { filled } from './filled';

export const profile = /* @__PURE__ */ filled(seed);

/** The mailto URL of the "Contact Us Today" buttons. */
export function contactMailto(): string {
  const { subject, body } = profile.mail_draft;
  const text = encodeURIComponent(body.replaceAll('\n', '\r\n'));
  return `mailto:${company.email}?subject=${encodeURIComponent(subject)}&body=${text}`;
}
