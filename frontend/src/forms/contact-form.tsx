// The contact form (specification sections 2, 4, 5, 7, 8). Its rules and texts are in seeds/forms/contact.json.
import contact from '@seeds/forms/contact.json';
import { company } from '../company';
import { Button } from '../ui/button';
import { Banner } from './banner';
import { Field, ruleOf } from './field';
import { FormHead } from './form-head';
import type { FormRules, Texts } from './rules';
import { useForm } from './use-form';

const rules: FormRules = contact;
const draft = ['service'];

/** The mail that carries the message when the server cannot (specification section 7). */
export function mailDraft(values: Texts): string {
  const { service, company: firm, details } = values;
  const label = ruleOf(rules, 'service').options?.find(({ value }) => value === service)?.label;
  const body = [
    `Name: ${values.firstName} ${values.lastName}`,
    `Email: ${values.email}`,
    `Phone: ${values.phone}`,
    `Company: ${firm || 'Not given'}`,
    `Service needed: ${label ?? service}`,
    '',
    'Project details:',
    details,
  ].join('\r\n');
  const subject = `Contact Form - ${service || 'General Inquiry'}`;
  return `mailto:${company.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

function failed(error: unknown, values: Texts) {
  console.error(error);
  location.href = mailDraft(values);
  return 'fallback';
}

export function ContactForm({ search }: { search: string }) {
  const sent = search === 'sent=1' ? 'banner' : undefined;
  const settings = { rules, path: '/api/contact', draft, sent, tagless: true, failed };
  const { form, errors, sending, banner, served, again, press } = useForm(settings);
  const at = { rules, errors };
  return (
    <>
      {banner ? <Banner outcome={banner} again={again} page="/contact" served={served} /> : null}
      <form {...form} className="form" action="/contact" aria-label="Contact">
        <FormHead />
        <Field {...at} name="firstName" autoComplete="given-name" enterKeyHint="next" />
        <Field {...at} name="lastName" autoComplete="family-name" enterKeyHint="next" />
        <Field {...at} name="email" type="email" inputMode="email" autoComplete="email" enterKeyHint="next" />
        <Field {...at} name="phone" type="tel" inputMode="tel" autoComplete="tel" enterKeyHint="next" />
        <Field {...at} name="company" autoComplete="organization" enterKeyHint="next" />
        <Field {...at} name="service" />
        <Field {...at} name="details" row />
        <div className="form-row">
          <Button type="submit" wide disabled={sending} onPointerDown={press}>
            {sending ? 'Sending...' : 'Send Message'}
          </Button>
        </div>
      </form>
    </>
  );
}
