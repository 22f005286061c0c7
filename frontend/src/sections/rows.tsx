// Lists of a term and its text, such as questions with their answers, and numbered steps.
import type { ReactNode } from 'react';
import type { Condition } from '../content/conditions';
import { marked } from '../ui/marked';

export type Row = { title: string; text: ReactNode; condition?: Condition | undefined };

/** `look`: the classes of the list. The server removes a row whose `condition` does not hold. */
export function Rows({ of, look = 'rows' }: { of: readonly Row[]; look?: string }) {
  return (
    <dl className={look}>
      {of.map(({ title, text, condition }) => (
        <div key={title} data-if={condition}>
          <dt>{title}</dt>
          <dd>{typeof text === 'string' ? marked(text) : text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text under what it comes down to. */
export function Figure({ of, children }: { of: string; children?: ReactNode }) {
  return (
    <>
      <strong className="figure">{of}</strong>
      <br />
      {children}
    </>
  );
}

/** Numbered steps. */
export function Steps({ of }: { of: readonly string[] }) {
  return (
    <ol className="steps">
      {of.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ol>
  );
}
