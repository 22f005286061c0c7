// Renders the markup of long texts: `**bold**`, `[words](https://site.example)` and line breaks.
// Links lead to https, mailto and tel only; anything else stays as written
// (src/domain/content/markup.rs). The company's number can be called, and stays on one line.
import { Fragment, type ReactNode } from 'react';
import { company } from '../company';

const marks = /\*\*([^*]+)\*\*|\[([^\][\n]+)\]\(((?:https:\/\/|mailto:|tel:)[^()\s]+)\)|\n/;

/** The text as elements. */
export function marked(text: string): ReactNode {
  const found = marks.exec(text);
  if (!found) return withCalls(text);
  const [whole, bold, words, href] = found;
  return (
    <>
      {withCalls(text.slice(0, found.index))}
      {bold ? <strong>{marked(bold)}</strong> : words ? <a href={href}>{words}</a> : <br />}
      {marked(text.slice(found.index + whole.length))}
    </>
  );
}

const withCalls = (text: string): ReactNode =>
  text.split(company.phone).map((part, nth) => (
    <Fragment key={nth}>
      {nth > 0 ? <a href={company.phone_href}>{company.phone}</a> : null}
      {part}
    </Fragment>
  ));
