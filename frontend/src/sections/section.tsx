// A section of a page: a band with a kicker, a heading and content.
import type { ReactNode } from 'react';

type Props = {
  /** The anchor, and the prefix of the heading id. */
  id: string;
  kicker: string;
  title: ReactNode;
  background?: 'mist' | 'ink';
  /** The fact without which the server removes the section. */
  condition?: string | undefined;
  children: ReactNode;
};

export function Section({ id, kicker, title, background, condition, children }: Props) {
  return (
    <section
      id={id}
      className={background ? `band band-${background}` : 'band'}
      aria-labelledby={`${id}-title`}
      data-if={condition}
    >
      <div className="column">
        <p className="log-line">
          <span>{kicker}</span>
        </p>
        <h2 id={`${id}-title`} className="section-title">
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}
