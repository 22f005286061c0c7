// Filters text while it is typed: the contact form strips HTML tags (specification section 5), and
// free text gets typographic apostrophes between letters, which the rules accept.
import { stripTags } from './rules';

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Replaces straight apostrophes between two letters with typographic ones. */
export function curlApostrophes(text: string): string {
  return text.replace(/(\p{L})'(?=\p{L})/gu, '$1’');
}

/** Sets the control's value to `change(value)` and keeps the caret behind the same character. */
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

/** Filters the text of one field. */
export function filterInput(
  text: string,
  { stripHtml, freeText }: { stripHtml?: boolean; freeText?: boolean },
): string {
  const withoutTags = stripHtml ? stripTags(text) : text;
  return freeText ? curlApostrophes(withoutTags) : withoutTags;
}
