// A reply that is being written, and its draft: texts by name.

import type { Fields } from '../../state/drafts';

export type ReplyFile = { file: string; name: string };

export type Reply = ReplyText & {
  /** Addresses, separated by commas. */
  cc: string;
  files: ReplyFile[];
};

/** The reply of a draft, with the proposed subject where it has none. */
export function replyOf({ subject, text = '', cc = '', files = '' }: Fields, proposed: string): Reply {
  return { subject: subject ?? proposed, text, cc, files: filesOf(files) };
}

export function draftOf({ files, ...texts }: Reply): Fields {
  return { ...texts, files: files.length ? JSON.stringify(files) : '' };
}

function filesOf(text: string): ReplyFile[] {
  try {
    return text ? JSON.parse(text) : [];
  } catch {
    return [];
  }
}

/** The copies and the files as the call that sends a reply takes them. */
export function extrasOf({ cc, files }: Reply): { cc: string[]; files: string[] } {
  return { cc: cc.split(/[,;\s]+/).filter(Boolean), files: files.map(({ file }) => file) };
}

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
