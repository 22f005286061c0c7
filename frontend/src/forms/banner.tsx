// The confirmation of a form: the success banner with its button, the reference, and what happens
// next. Its code is loaded when a form was accepted. On the page that the server sends after a post
// without JavaScript, and after a reload, the server fills in `.banner-facts`
// (src/http/forms/confirmation.rs), and the button loads the empty form.
import { useEffect } from 'react';
import { company } from '../company';
import { Button, ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';
import { watchToasts } from '../ui/toast-place';
import type { FormRules } from './rules';
import type { Sent } from './sent';

/** The form posts to `action`, which is also the path of its page. */
export type BannerProps = { rules: FormRules; sent: Sent; action: string; again(): void };

if (typeof document !== 'undefined') watchToasts(true);

/** Called once, when the banner appears, because its identity never changes. */
const focus = (element: HTMLElement | null) => element?.focus();

/**
 * Gives the page the address to which src/http/forms/confirmation.rs redirects: a reload shows the
 * same.
 */
function keepOnReload(action: string, { status_page, values }: Sent) {
  const link = status_page?.split('/').pop();
  const call = values?.emergencyContact === 'true' ? '&call=1' : '';
  if (link && location.pathname === action)
    history.replaceState(null, '', `?sent=1&reference=${link}${call}`);
}

export default function Banner({ rules: { form, outcomes }, sent, action, again }: BannerProps) {
  const outcome = outcomes[sent.name];
  /** Shows the form, which takes the focus from the banner; a reload shows it too. */
  const showForm = () => {
    again();
    if (location.search.includes('sent=')) history.replaceState(null, '', action);
    const element = document.getElementById(`${form}-form`) as HTMLFormElement;
    element.hidden = false;
    const { elements } = element;
    (elements[0] as HTMLElement).focus();
    return elements;
  };
  const bringBack = () => {
    const elements = showForm();
    for (const [name, value] of Object.entries(sent.values ?? {})) {
      const control = elements.namedItem(name);
      if (control && 'value' in control) control.value = value;
    }
  };
  useEffect(() => keepOnReload(action, sent), [action, sent]);
  return (
    <div className="banner" ref={focus} tabIndex={-1}>
      <h2>{outcome?.title}</h2>
      <p>{outcome?.detail}</p>
      {sent.name === 'banner_fallback' ? (
        <>
          <p>
            <strong>
              Your message may not have reached us: press Send in your mail program. If no mail program
              opened, bring your message back and try again.
            </strong>
          </p>
          <Button look="ink" onClick={bringBack}>
            Bring Back My Message
          </Button>
        </>
      ) : null}
      <div className="banner-facts">
        {sent.reference ? (
          <p>
            {'Your reference: '}
            <strong>{sent.reference}</strong>
          </p>
        ) : null}
        {sent.reference && form === 'quote' ? <Next sent={sent} /> : null}
        {sent.status_page ? (
          <p>
            <a href={sent.status_page}>See where your request stands</a>
          </p>
        ) : null}
      </div>
      <form
        action={action}
        onSubmit={(event) => {
          event.preventDefault();
          showForm();
        }}
      >
        <Button type="submit" look="ink">
          {outcomes.again?.title}
        </Button>
      </form>
    </div>
  );
}

/** What happens next, with one time. */
function Next({ sent }: { sent: Sent }) {
  if (sent.values?.emergencyContact !== 'true')
    return <p>{`We answer by phone or email within ${company.promise_answer}.`}</p>;
  return (
    <>
      <p>{company.call_soon}</p>
      <p className="actions">
        <ButtonLink href={company.phone_href}>
          <Icon name="phone" />
          {company.phone}
        </ButtonLink>
      </p>
    </>
  );
}
