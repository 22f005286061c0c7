// The contact form (specification sections 2, 4, 5, 7, 8). Rules and texts:
// seeds/forms/contact.json.
import contact from '@seeds/forms/contact.json';
import { company } from '../company';
import { Field, ruleOf } from './field';
import { RequestForm } from './request-form';
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

/**
 * `service`: the subject that the page sends, in place of the select, and of a person without a
 * company; the form posts to `action`.
 * `about` and `hint` are the label and the help of the text.
 */
type Props = {
  search: string;
  action?: string;
  label?: string;
  service?: string;
  about?: string;
  hint?: string;
};

export function ContactForm({ search, action = '/contact', label = 'Contact', service, about, hint }: Props) {
  const options = {
    rules,
    path: '/api/contact',
    draft,
    search,
    stripHtml: true,
    onFailure,
  };
  const state = useForm(options);
  const fieldProps = { rules, errors: state.errors };
  return (
    <RequestForm
      rules={rules}
      state={state}
      action={action}
      label={label}
      submit="Send Message"
      submitting="Sending..."
      company={service ? 'none' : undefined}
    >
      {service ? (
        <input type="hidden" name="service" value={service} />
      ) : (
        <Field {...fieldProps} name="service" selected={/service=([\w-]+)/.exec(search)?.[1]} />
      )}
      <Field {...fieldProps} name="details" label={about} hint={hint} wide />
    </RequestForm>
  );
}
