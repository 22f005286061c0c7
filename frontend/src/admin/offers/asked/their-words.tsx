// What the customer has written, beside the form: long words are folded.
import { useState } from 'react';
import { Button } from '../../../ui/button';

/** The length from which words are folded, in characters and in lines. */
const [maxLength, maxLines] = [320, 8];

/** The beginning of a long text, up to the end of a word; a short one as it is. */
export function beginning(text: string): string {
  const lines = text.split('\n').slice(0, maxLines).join('\n');
  if (lines.length <= maxLength) return lines;
  return lines.slice(0, maxLength).replace(/\s+\S*$/, '');
}

export function TheirWords({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (!text) return <p className="muted">Nothing added.</p>;
  const short = beginning(text);
  const isFolded = short !== text;
  return (
    <>
      <p className="panel-words">{isFolded && !isWhole ? `${short} …` : text}</p>
      {isFolded ? (
        <Button look="quiet" className="button-small" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      ) : null}
    </>
  );
}
