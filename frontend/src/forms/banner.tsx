// The success banner of a form, with a button that hides it. On the page that the server sends
// after a post without JavaScript, the server fills in `.banner-facts` (src/http/forms/confirmation.rs),
// and the button loads the empty form.
import type { ReactNode } from 'react';
import { useServerHtml } from '../static-island';
import { Button } from '../ui/button';
import type { FormRules } from './rules';
import type { Sent } from './use-form';

type Props = { rules: FormRules; sent: Sent; again(): void; children?: ReactNode };

/** Called once, when the banner appears, because its identity never changes. */
const focus = (element: HTMLElement | null) => element?.focus();

export function Banner({ rules, sent, again, children }: Props) {
  const { outcomes } = rules;
  return (
    <div className="banner" ref={focus} tabIndex={-1}>
      <h2>{outcomes[sent.name]?.title}</h2>
      <p>{outcomes[sent.name]?.detail}</p>
      <div className="banner-facts" {...useServerHtml()}>
        {sent.reference ? (
          <p>
            {'Your reference: '}
            <strong>{sent.reference}</strong>
          </p>
        ) : null}
        {children}
      </div>
      <form
        action={`/${rules.form}`}
        onSubmit={(event) => {
          event.preventDefault();
          again();
        }}
      >
        <Button type="submit" look="ink">
          {outcomes.again?.title}
        </Button>
      </form>
    </div>
  );
}
