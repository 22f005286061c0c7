// Rows of a term and its text, such as questions with their answers.
import type { ReactNode } from 'react';

export type Row = { title: string; text: ReactNode };

export function Rows({ of }: { of: readonly Row[] }) {
  return (
    <dl className="rows">
      {of.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
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
