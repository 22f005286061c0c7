// What the contact form and the quote form share: the banner after sending, the fields about the
// visitor, and the submit button.

import type { ReactNode } from 'react';
import { useServerHtml } from '../static-island';
import { Button } from '../ui/button';
import { Confirmation } from './confirmation';
import { Field } from './field';
import type { FormRules } from './rules';
import type { useForm } from './use-form';

/**
 * A form that sends a request. `state` is that of `useForm`, `children` are the fields below the
 * visitor's.
 */
export function RequestForm(props: {
  rules: FormRules;
  state: ReturnType<typeof useForm>;
  action: string;
  label?: string;
  /** The button's text, and while the request is being sent. */
  submit: string;
  submitting: string;
  /** The company's field: as wide as the form, or left out. */
  company?: 'wide' | 'none' | undefined;
  /** Shown below the banner. */
  files?: ReactNode;
  children: ReactNode;
}) {
  const { rules, state } = props;
  const { form, errors, sending, sent, again } = state;
  const fieldProps = { rules, errors };
  return (
    <>
      {sent?.plain ? (
        <p className="banner">
          {'Received. Your reference: '}
          <a href={sent.status_page}>{sent.reference}</a>
        </p>
      ) : sent ? (
        <Confirmation rules={rules} sent={sent} action={props.action} again={again} />
      ) : null}
      {props.files}
      <form
        {...form}
        className="form"
        action={props.action}
        aria-label={props.label}
        hidden={sent && !sent.plain}
      >
        <FormHead />
        <Field {...fieldProps} name="firstName" autoComplete="given-name" />
        <Field {...fieldProps} name="lastName" autoComplete="family-name" />
        <Field {...fieldProps} name="email" type="email" inputMode="email" autoComplete="email" />
        <Field {...fieldProps} name="phone" type="tel" inputMode="tel" autoComplete="tel" />
        {props.company === 'none' ? null : (
          <Field {...fieldProps} name="company" autoComplete="organization" wide={props.company === 'wide'} />
        )}
        {props.children}
        <div className="form-row">
          <Button type="submit" wide disabled={sending}>
            {sending ? props.submitting : props.submit}
          </Button>
        </div>
      </form>
    </>
  );
}

/**
 * The head of a form: the error alert that the server fills in after a post without JavaScript
 * (hydration keeps it, the next submission hides it), and the note on required fields.
 */
function FormHead() {
  return (
    <>
      <div className="form-alert form-row" role="alert" hidden {...useServerHtml()} />
      <p className="form-note form-row">Every field is required unless it says optional.</p>
    </>
  );
}
