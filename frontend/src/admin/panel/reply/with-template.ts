// What choosing a template makes of a reply: nothing that was typed is lost.

export type ReplyText = { subject: string; text: string };

/**
 * The reply with the template's text at the cursor, in separate paragraphs; a typed subject
 * stays, one that was only proposed for a first reply does not.
 */
export function withTemplate(
  typed: ReplyText,
  template: ReplyText,
  cursor: number,
  proposed = '',
): ReplyText {
  const before = typed.text.slice(0, cursor).trimEnd();
  const after = typed.text.slice(cursor).trimStart();
  return {
    subject: [proposed, ''].includes(typed.subject.trim()) ? template.subject : typed.subject,
    text: [before, template.text, after].filter(Boolean).join('\n\n'),
  };
}
