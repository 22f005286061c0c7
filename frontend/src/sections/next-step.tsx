// The closing section of a page: calls to action.
import type { ReactNode } from 'react';
import { CallAndQuote } from './call-and-quote';
import { DarkBand } from './dark-band';

type Props = { title: string; text: string; quote?: string | undefined; label: string; children?: ReactNode };

export function NextStep({ title, text, quote, label, children }: Props) {
  return (
    <DarkBand
      labelledby="next"
      picture={
        <div className="next-actions">
          <CallAndQuote quote={quote} label={label} />
          {children}
        </div>
      }
    >
      <h2 id="next">{title}</h2>
      <p className="lead">{text}</p>
    </DarkBand>
  );
}
