// What choosing a template makes of a reply: nothing that was typed is lost.

export type ReplyText = { subject: string; text: string };

/**
 * The reply with the template's text at the cursor, in separate paragraphs; a typed subject
 * stays.
 */
export function withTemplate(typed: ReplyText, template: ReplyText, cursor: number): ReplyText {
  const before = typed.text.slice(0, cursor).trimEnd();
  const after = typed.text.slice(cursor).trimStart();
  return {
    subject: typed.subject.trim() ? typed.subject : template.subject,
    text: [before, template.text, after].filter(Boolean).join('\n\n'),
  };
}
