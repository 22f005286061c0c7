// Emails of customers: those that belong to no request, files of messages, and what was read.
import { callApi, post } from './admin-client';
import type { ChangedRequest, HistoryEvent } from './inbox';
import type { components } from './schema';

export type UnmatchedEmail = components['schemas']['UnmatchedEmail'];
export type UnmatchedEmails = components['schemas']['UnmatchedEmails'];

/** Which emails without a request: those of people, of programs, or discarded ones. */
export type UnmatchedList = '' | 'automatic' | 'discarded';

/** A file of a message: stored under `key`, or refused. */
export type MessageFile = components['schemas']['MessageFile'];

/** What a message of a customer says; nothing is known of an email that was not read. */
export type MessageDetail = Partial<components['schemas']['Message']>;

const base = '/api/admin/unmatched';

export const listUnmatched = (token: string, show: UnmatchedList) =>
  callApi<UnmatchedEmails>(show ? `${base}?show=${show}` : base, { token });

/** `request`: an id or a reference. */
export const attachEmail = (token: string, id: string, request: string) =>
  callApi<HistoryEvent>(`${base}/${id}/attach`, post(token, { request }));

export const makeRequest = (token: string, id: string) =>
  callApi<{ id: string }>(`${base}/${id}/request`, post(token, {}));

/** What an email says of a quote request, by the names of the form's fields in the API. */
export const readEmailFields = (token: string, id: string) =>
  callApi<{ fields: Record<string, string> }>(`${base}/${id}/fields`, { token });

export const makeQuote = (token: string, id: string, quote: Record<string, string | boolean>) =>
  callApi<{ id: string }>(`${base}/${id}/quote`, post(token, quote));

export const discardEmail = (token: string, id: string) =>
  callApi<void>(`${base}/${id}/discard`, post(token, {}));

export const restoreEmail = (token: string, id: string) =>
  callApi<void>(`${base}/${id}/restore`, post(token, {}));

export const markRead = (token: string, request: string) =>
  callApi<void>(`/api/admin/inbox/${request}/read`, post(token, {}));

/** The messages of a request need no answer. */
export const setMessagesAside = (token: string, request: string) =>
  callApi<ChangedRequest>(`/api/admin/inbox/${request}/set-aside`, post(token, {}));

/** Stores a file for a reply; `key` begins with the request's id. */
export async function uploadReplyFile(token: string, key: string, file: File): Promise<void> {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const response = await fetch(`/storage/v1/object/mail/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': file.type || 'application/octet-stream',
      // What the customer's mail program calls the file.
      'x-metadata': btoa(
        String.fromCharCode(...new TextEncoder().encode(JSON.stringify({ name: file.name }))),
      ),
    },
    body: file,
  });
  if (response.ok) return;
  const refusal = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Error(refusal.message || 'The file could not be stored.');
}

/** A link that opens a file of a message for five minutes, without a sign-in. */
export async function linkMessageFile(token: string, key: string): Promise<string> {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const { signedURL } = await callApi<{ signedURL: string }>(
    `/storage/v1/object/sign/mail/${path}`,
    post(token, { expiresIn: 300 }),
  );
  return `/storage/v1${encodeURI(signedURL)}`;
}
