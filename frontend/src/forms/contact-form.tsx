// The contact form (specification sections 2, 4, 5, 7, 8). Rules and texts:
// seeds/forms/contact.json.
import contact from '@seeds/forms/contact.json';
import { company } from '../company';
import { Button } from '../ui/button';
import { Banner } from './banner';
import { Field, ruleOf } from './field';
import { FormHead } from './form-head';
import type { FieldValues, FormRules } from './rules';
import { useForm } from './use-form';

const rules: FormRules = contact;
const draft = ['service'];

/**
 * The mailto URL with the message, opened if the server cannot be reached (specification section
 * 7).
 */
export function fallbackEmail(values: FieldValues): string {
  const { service, company: companyName, details } = values;
  const label = ruleOf(rules, 'service').options?.find(({ value }) => value === service)?.label;
  const body = [
    `Name: ${values.firstName} ${values.lastName}`,
    `Email: ${values.email}`,
    `Phone: ${values.phone}`,
    `Company: ${companyName || 'Not given'}`,
    `Service needed: ${label ?? service}`,
    '',
    'Project details:',
    details,
  ].join('\r\n');
  const subject = `Contact Form - ${service || 'General Inquiry'}`;
  return `mailto:${company.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

function onFailure(error: unknown, values: FieldValues) {
  console.error(error);
  location.href = fallbackEmail(values);
  return 'fallback';
}

export function ContactForm({ search }: { search: string }) {
  const sent = search === 'sent=1' ? 'banner' : undefined;
  const options = { rules, path: '/api/contact', draft, sent, stripHtml: true, onFailure };
  const { form, errors, sending, banner, served, again, onPress } = useForm(options);
  const fieldProps = { rules, errors };
  return (
    <>
      {banner ? <Banner outcome={banner} again={again} page="/contact" served={served} /> : null}
      <form {...form} className="form" action="/contact" aria-label="Contact">
        <FormHead />
        <Field {...fieldProps} name="firstName" autoComplete="given-name" enterKeyHint="next" />
        <Field {...fieldProps} name="lastName" autoComplete="family-name" enterKeyHint="next" />
        <Field
          {...fieldProps}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          enterKeyHint="next"
        />
        <Field
          {...fieldProps}
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="next"
        />
        <Field {...fieldProps} name="company" autoComplete="organization" enterKeyHint="next" />
        <Field {...fieldProps} name="service" />
        <Field {...fieldProps} name="details" wide />
        <div className="form-row">
          <Button type="submit" wide disabled={sending} onPointerDown={onPress}>
            {sending ? 'Sending...' : 'Send Message'}
          </Button>
        </div>
      </form>
    </>
  );
}
