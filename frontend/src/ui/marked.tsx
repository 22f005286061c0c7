// Renders the markup of long texts: `**bold**`, `[words](https://site.example)` and line breaks.
// Links lead to https, mailto and tel only; anything else stays as written
// (src/domain/content/markup.rs).
import type { ReactNode } from 'react';

const marks = /\*\*([^*]+)\*\*|\[([^\][\n]+)\]\(((?:https:\/\/|mailto:|tel:)[^()\s]+)\)|\n/;

/** The text as elements. */
export function marked(text: string): ReactNode {
  const found = marks.exec(text);
  if (!found) return text;
  const [whole, bold, words, href] = found;
  return (
    <>
      {text.slice(0, found.index)}
      {bold ? <strong>{marked(bold)}</strong> : words ? <a href={href}>{words}</a> : <br />}
      {marked(text.slice(found.index + whole.length))}
    </>
  );
}
