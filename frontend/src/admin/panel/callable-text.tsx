// A text whose phone numbers can be called by a press.

import { telLink } from '../requests/format';

export function CallableText({ text }: { text: string }) {
  return (
    <>
      {phoneParts(text).map((part, at) =>
        part.isPhone ? (
          <a key={at} href={telLink(part.text)}>
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </>
  );
}

/** A North American number of ten digits, or an international one with its `+`. */
const number =
  /(?<![\p{L}\p{N}+.-])(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-]?)\d{3}[ .-]?\d{4}(?![\p{L}\p{N}-])|(?<![\p{L}\p{N}])\+\d[\d ().-]{7,18}\d(?![\p{L}\p{N}])/gu;

type TextPart = { text: string; isPhone: boolean };

/** Phone numbers in texts of customers and of the office: split off, so that each is a link. */
export function phoneParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(number)) {
    if (index > end) parts.push({ text: text.slice(end, index), isPhone: false });
    parts.push({ text: found, isPhone: true });
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isPhone: false });
  return parts;
}
