// A stretch of night: words on one side, a drawing that stands on the ground on the other. The heads of pages and their
// last words are made of it. The sky of every scene is its own colour, so that the drawing has no edge.
import type { ReactNode } from 'react';

type Props = {
  id?: string;
  /** The id of its heading, where it is a section of a page rather than the page's head. */
  labelledby?: string;
  /** The first page's head is the tallest. */
  tall?: boolean;
  picture?: ReactNode;
  /** What stands under both, the full width of the column. */
  footer?: ReactNode;
  children: ReactNode;
};

export function DarkBand({ id, labelledby, tall, picture, footer, children }: Props) {
  return (
    <section id={id} className={tall ? 'dark-band dark-band-tall' : 'dark-band'} aria-labelledby={labelledby}>
      <div className="column dark-band-columns">
        <div className="dark-band-text">{children}</div>
        {picture}
      </div>
      {footer ? <div className="column">{footer}</div> : null}
    </section>
  );
}
