// A dark full-width section: text on one side, a drawing on the other. Page heads and closing
// sections use it. Its background has the color of the sky in the scenes, so that drawings have no
// visible edge.
import type { ReactNode } from 'react';

type Props = {
  id?: string;
  /** The id of its heading, if it is a section rather than the head of the page. */
  labelledby?: string;
  /** Taller, for Home. */
  tall?: boolean;
  picture?: ReactNode;
  /** Full-width content below both columns. */
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
