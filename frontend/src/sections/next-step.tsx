// The last word of a page: what to do next, with the number and the form.
import type { ReactNode } from 'react';
import { ScenePicture } from '../scenes/picture';
import { CallAndQuote } from './call-and-quote';
import { Night } from './night';

type Props = { title: string; text: string; quote?: string | undefined; label: string; children?: ReactNode };

export function NextStep({ title, text, quote, label, children }: Props) {
  return (
    <Night labelledby="next" picture={<ScenePicture name="hero" />}>
      <h2 id="next">{title}</h2>
      <p className="lead">{text}</p>
      <CallAndQuote quote={quote} label={label} />
      {children}
    </Night>
  );
}
