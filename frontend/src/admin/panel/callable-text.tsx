// A text whose phone numbers can be called by a press.
import { telLink } from '../requests/format';
import { phoneParts } from './phone-links';

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
