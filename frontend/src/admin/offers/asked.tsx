// What the customer has written, beside the form: long words are folded.

import { useState } from 'react';
import type { Offer } from '../../api/offers';
import { Button } from '../../ui/button';

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

/** What the draft of an offer took from the customer's words, for a person to check. */
export function AskedNote({ asked }: Pick<Offer, 'asked'>) {
  return <p className="muted offer-asked">{askedText(asked)}</p>;
}

// What the draft of an offer took from the customer's words, in a sentence.

const names: Record<string, string> = {
  schedule: 'days and hours',
  officers: 'number of officers',
  armed: 'armed or not',
};

/** The words that a value was taken from, as `“mon-fri” and “7 am to 7 pm”`, or nothing. */
export const wordsOf = (asked: Offer['asked'], what: string): string =>
  asked
    .filter((it) => it.what === what)
    .map((it) => `“${it.words}”`)
    .join(' and ');

export function askedText(asked: Offer['asked']): string {
  const found = Object.entries(names).flatMap(([what, name]) => {
    const words = wordsOf(asked, what);
    return words ? `${name} from ${words}` : [];
  });
  const open = Object.entries(names).filter(
    ([what]) => what !== 'armed' && !asked.some((it) => it.what === what),
  );
  const missing = open.map(([, name]) => name).join(', ');
  const ask = missing ? `Not said plainly: ${missing}. Ask, or choose them.` : '';
  return [found.length ? `Taken: ${found.join('; ')}. Check them.` : '', ask].filter(Boolean).join(' ');
}
