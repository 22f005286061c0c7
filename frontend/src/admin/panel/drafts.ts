// What was typed into a note, a call or a reply and not sent yet: kept in this tab at once, and a
// moment later on the server, for a reload and for the person's other devices.
import { storeDraft } from '../../api/inbox';
import type { RequestDetail, RequestItem } from '../../api/inbox-types';

export type Fields = Record<string, string>;

type WithToken = <T>(call: (token: string) => Promise<T>) => Promise<T>;

/** Milliseconds without a keystroke after which a draft is sent to the server. */
const typing = 400;

const drafts = new Map<string, Fields>();
/** Drafts that were not sent to the server yet. */
const waiting = new Map<string, { request: string; form: string; timer: ReturnType<typeof setTimeout> }>();
let session: WithToken | undefined;

/** Sends drafts with the access token of this session from now on. */
export function connectDrafts(withToken: WithToken): () => void {
  session = withToken;
  addEventListener('pagehide', sendWaiting);
  return () => {
    removeEventListener('pagehide', sendWaiting);
    sendWaiting();
    session = undefined;
    drafts.clear();
  };
}

/** What was typed in this tab, or else what the server has kept. */
export function readDraft(request: string, form: string, stored: RequestDetail['drafts'] = []): Fields {
  return drafts.get(keyOf(request, form)) ?? stored.find((draft) => draft.form === form)?.fields ?? {};
}

/** Whether something was written: a subject alone was proposed. */
export function isWritten({ text = '', note = '' }: Fields): boolean {
  return `${text}${note}`.trim() !== '';
}

/** Whether something was written about a request and not sent, in this tab or on another device. */
export function isDrafted({ id, drafted }: Pick<RequestItem, 'id' | 'drafted'>): boolean {
  const here = [...drafts].filter(([key]) => key.startsWith(`${id} `));
  return here.length > 0 ? here.some(([, fields]) => isWritten(fields)) : drafted === true;
}

export function keepDraft(request: string, form: string, values: Fields) {
  const key = keyOf(request, form);
  drafts.set(key, values);
  clearTimeout(waiting.get(key)?.timer);
  waiting.set(key, { request, form, timer: setTimeout(send, typing, key) });
}

/** Forgets a draft that was sent; the server forgets it by itself. */
export function forgetDraft(request: string, form: string) {
  const key = keyOf(request, form);
  clearTimeout(waiting.get(key)?.timer);
  waiting.delete(key);
  drafts.set(key, {});
}

function send(key: string, keepalive = false) {
  const draft = waiting.get(key);
  if (!draft) return;
  clearTimeout(draft.timer);
  waiting.delete(key);
  const { request, form } = draft;
  const fields = drafts.get(key) ?? {};
  // Where this fails it is still kept in this tab, and the next keystroke tries again.
  session?.((token) => storeDraft(token, request, form, fields, keepalive)).catch(() => {});
}

function sendWaiting() {
  for (const key of [...waiting.keys()]) send(key, true);
}

function keyOf(request: string, form: string): string {
  return `${request} ${form}`;
}
