// What the draft of an offer took from the customer's words, in a sentence.
import type { Offer } from '../../../api/offers';

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
