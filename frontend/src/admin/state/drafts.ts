// What was typed into a note, a call or a reply and not sent yet: kept in this browser at once, and
// a moment later on the server, for the person's other devices.

import { useEffect } from 'react';
import { type RequestDetail, type RequestItem, storeDraft } from '../../api/inbox';
import { useAuth } from '../session/provider';
import { forget, keep, readKept } from '../ui/kept';
import { createInTurn, type InTurn } from '../ui/use-attempt';

export type Fields = Record<string, string>;

type WithToken = <T>(call: (token: string) => Promise<T>) => Promise<T>;

/** Milliseconds without a keystroke after which a draft is sent to the server. */
const typing = 400;

const drafts = new Map<string, Fields>();
/** Drafts that were not sent to the server yet. */
const waiting = new Map<string, { request: string; form: string; timer: ReturnType<typeof setTimeout> }>();
/** The calls about each draft, one after the other. */
const queues = new Map<string, InTurn>();
let session: WithToken | undefined;

/** Sends drafts with the access token of this session from now on. */
function connectDrafts(withToken: WithToken): () => void {
  session = withToken;
  addEventListener('pagehide', sendWaiting);
  return () => {
    removeEventListener('pagehide', sendWaiting);
    sendWaiting();
    session = undefined;
    drafts.clear();
  };
}

/** What was typed in this tab or is not on the server yet, or else what the server has kept. */
export function readDraft(request: string, form: string, stored: RequestDetail['drafts'] = []): Fields {
  const key = keyOf(request, form);
  return (
    drafts.get(key) ?? readKept<Fields>(key) ?? stored.find((draft) => draft.form === form)?.fields ?? {}
  );
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
  keep(key, values);
  clearTimeout(waiting.get(key)?.timer);
  waiting.set(key, { request, form, timer: setTimeout(send, typing, key) });
}

/**
 * Submits a form by `call`, and forgets its draft, as the server does. The server would keep a
 * draft that it got after the form.
 */
export function submitDraft<T>(request: string, form: string, call: () => Promise<T>): Promise<T> {
  const key = keyOf(request, form);
  return inTurn(key, async () => {
    const answer = await call();
    clearTimeout(waiting.get(key)?.timer);
    waiting.delete(key);
    drafts.set(key, {});
    forget(key);
    return answer;
  });
}

/** Runs a call after the calls before it about the same draft. */
function inTurn<T>(key: string, call: () => Promise<T>): Promise<T> {
  const queue = queues.get(key) ?? createInTurn();
  queues.set(key, queue);
  return queue(call);
}

function send(key: string) {
  inTurn(key, () => store(key));
}

/** Stores the newest text of a draft, if it was not stored or submitted since. */
async function store(key: string, keepalive = false) {
  const draft = waiting.get(key);
  if (!draft) return;
  clearTimeout(draft.timer);
  waiting.delete(key);
  const { request, form } = draft;
  const fields = drafts.get(key) ?? {};
  if (!session) return;
  try {
    await session((token) => storeDraft(token, request, form, fields, keepalive));
    if (drafts.get(key) === fields) forget(key);
  } catch {
    // It is still kept in this browser, and the next keystroke tries again.
  }
}

/** A page that is closed runs no call later. */
function sendWaiting() {
  for (const key of [...waiting.keys()]) store(key, true);
}

function keyOf(request: string, form: string): string {
  return `${request} ${form}`;
}

/** Keeps drafts on the server for as long as the dashboard is open. */
export function useDrafts() {
  const { manager } = useAuth();
  useEffect(() => connectDrafts((call) => manager.withToken(call)), [manager]);
}
