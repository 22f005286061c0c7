// The closing section of a page: calls to action.
import type { ReactNode } from 'react';
import { ScenePicture } from '../scenes/picture';
import { CallAndQuote } from './call-and-quote';
import { DarkBand } from './dark-band';

type Props = { title: string; text: string; quote?: string | undefined; label: string; children?: ReactNode };

export function NextStep({ title, text, quote, label, children }: Props) {
  return (
    <DarkBand labelledby="next" picture={<ScenePicture name="hero" />}>
      <h2 id="next">{title}</h2>
      <p className="lead">{text}</p>
      <CallAndQuote quote={quote} label={label} />
      {children}
    </DarkBand>
  );
}
