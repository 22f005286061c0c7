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
  foot?: ReactNode;
  children: ReactNode;
};

export function Night({ id, labelledby, tall, picture, foot, children }: Props) {
  return (
    <section id={id} className={tall ? 'night night-tall' : 'night'} aria-labelledby={labelledby}>
      <div className="column night-columns">
        <div className="night-words">{children}</div>
        {picture}
      </div>
      {foot ? <div className="column">{foot}</div> : null}
    </section>
  );
}
