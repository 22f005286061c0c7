// The success banner of a form, with a button that hides it. On the page that the server sends
// after a post without JavaScript, the button loads the empty form.
import { useEffect, useRef } from 'react';
import { Button } from '../ui/button';
import type { Outcome } from './rules';

type Props = {
  outcome: Outcome;
  again: { title: string; hide(): void };
  page: string;
  /** Whether the server rendered the banner. */
  served: boolean;
};

export function Banner({ outcome, again, page, served }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div className="banner" ref={element} tabIndex={-1}>
      <h2>{outcome.title}</h2>
      <p>{outcome.detail}</p>
      {served ? (
        <form
          action={page}
          onSubmit={(event) => {
            event.preventDefault();
            again.hide();
          }}
        >
          <Button type="submit" look="ink">
            {again.title}
          </Button>
        </form>
      ) : (
        <Button look="ink" onClick={again.hide}>
          {again.title}
        </Button>
      )}
    </div>
  );
}
