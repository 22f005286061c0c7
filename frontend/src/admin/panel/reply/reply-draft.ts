// A reply that is being written, and its draft: texts by name.
import type { Fields } from '../drafts';
import type { ReplyText } from './with-template';

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
