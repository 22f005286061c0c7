// What happens to a text while it is typed: the contact form loses HTML tags at once (specification section 5), and in
// free text an apostrophe between two letters becomes the typographic one, which no rule refuses. The caret stays put.
import { stripTags } from './rules';

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** An apostrophe between two letters, set as a printer would. */
export function curlApostrophes(text: string): string {
  return text.replace(/(\p{L})'(?=\p{L})/gu, '$1’');
}

/** Rewrites a box's text by `change` without moving the caret off the character it stands behind. */
export function rewriteValue(box: TextControl, change: (text: string) => string) {
  const before = box.value;
  const after = change(before);
  if (after === before) return;
  const caret = box.selectionStart;
  box.value = after;
  if (caret === null) return;
  const place = Math.min(change(before.slice(0, caret)).length, after.length);
  box.setSelectionRange(place, place);
}

/** The rewriting of one field as it is typed. */
export function filterInput(
  text: string,
  { stripHtml, freeText }: { stripHtml?: boolean; freeText?: boolean },
): string {
  const withoutTags = stripHtml ? stripTags(text) : text;
  return freeText ? curlApostrophes(withoutTags) : withoutTags;
}
