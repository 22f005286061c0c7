// Filters text while it is typed: the contact form strips HTML tags (specification section 5), and
// free text gets typographic quotes, which the rules accept.
import { stripTags, unwrapLinks } from './rules';

export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Replaces straight quotes and apostrophes with typographic ones, which the rules accept. */
export function curlQuotes(text: string): string {
  return text
    .replace(/(^|[\s([{–—-])(['"])/gu, (_, before, quote) => before + (quote === '"' ? '“' : '‘'))
    .replace(/'/g, '’')
    .replace(/"/g, '”');
}

/** Words in angle brackets that are no markup, as in `<ASAP>`. */
const bracketed = /<([A-Z]{3,}|[A-Za-z]+ [^<>=/]+)>/g;

/**
 * Sets the control's value to `change(value)` and keeps the caret behind the same character. A
 * character that was just typed is replaced as by typing: the browser's undo takes that back.
 */
export function rewriteValue(box: TextControl, change: (text: string) => string) {
  const before = box.value;
  const after = change(before);
  if (after === before) return;
  const caret = box.selectionStart;
  if (caret && after.length === before.length && document.activeElement === box) {
    box.setSelectionRange(caret - 1, caret);
    document.execCommand('insertText', false, after[caret - 1]);
  }
  box.value = after;
  if (caret === null) return;
  const place = Math.min(change(before.slice(0, caret)).length, after.length);
  box.setSelectionRange(place, place);
}

/** The field in which an undo has brought straight quotes back. */
let undone: EventTarget | null = null;

/**
 * Whether the quotes of a field stay straight at an input event: from the browser's undo until the
 * field is left. After an undo, the caret goes behind what came back, so that typing goes on.
 */
export function keepsQuotes(target: EventTarget | null, inputType: string | undefined): boolean {
  const box = target as TextControl;
  if (inputType === 'historyUndo') {
    undone = box;
    box.selectionStart = box.selectionEnd;
    box.onblur = () => {
      undone = null;
    };
  }
  return undone === box;
}

/** Filters the text of one field. */
export function filterInput(
  text: string,
  { stripHtml, freeText }: { stripHtml?: boolean; freeText?: boolean },
): string {
  const withoutTags = stripHtml ? stripTags(unwrapLinks(text).replace(bracketed, '$1')) : text;
  return freeText ? curlQuotes(withoutTags) : withoutTags;
}
