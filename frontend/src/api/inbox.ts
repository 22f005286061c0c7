// The inbox's calls: requests, their history, replies, people and named filters. The server checks
// access and every change; on a 409 the error's details have the current state.
import { callApi, download, type Request } from './admin-client';
import type {
  BulkResult,
  CallOutcome,
  ChangedRequest,
  CorrectionName,
  HistoryEvent,
  InboxIds,
  InboxPage,
  NewTemplate,
  OutcomeChange,
  Person,
  PhoneDraft,
  Profile,
  ReplyTemplate,
  RequestChange,
  RequestDetail,
  RequestItem,
  SavedFilter,
} from './inbox-types';

export type InboxQuery = Record<string, string>;

const at = (id: string) => `/api/admin/inbox/${encodeURIComponent(id)}`;

export function listRequests(token: string, query: InboxQuery, signal?: AbortSignal): Promise<InboxPage> {
  return callApi(`/api/admin/inbox?${new URLSearchParams(query)}`, { token, signal });
}

/** `id` is a UUID or a reference. */
export function readRequest(token: string, id: string, signal?: AbortSignal): Promise<RequestDetail> {
  return callApi(at(id), { token, signal });
}

export function changeRequest(token: string, id: string, change: RequestChange): Promise<ChangedRequest> {
  return callApi(at(id), { method: 'PATCH', token, body: change });
}

/** `goesOn`: the `undo` of the change that this part continues. */
export function changeRequests(
  token: string,
  ids: string[],
  change: RequestChange,
  goesOn: string | undefined,
): Promise<BulkResult> {
  const more = goesOn === undefined ? {} : { continue: goesOn };
  return callApi('/api/admin/inbox/bulk', post(token, { ids, ...change, ...more }));
}

/** Up to 2,000 ids of a list. */
export function listIds(token: string, query: InboxQuery): Promise<InboxIds> {
  return callApi(`/api/admin/inbox/ids?${new URLSearchParams(query)}`, { token });
}

export function correctRequest(
  token: string,
  id: string,
  correction: CorrectionName,
  reason: string,
): Promise<ChangedRequest> {
  return callApi(`${at(id)}/corrections`, post(token, { correction, reason }));
}

/** Corrects fields of a request; `from` are the values that the caller has seen. */
export function editRequest(
  token: string,
  id: string,
  edit: { from: Record<string, string>; to: Record<string, string> },
): Promise<ChangedRequest> {
  return callApi(`${at(id)}/fields`, { method: 'PATCH', token, body: edit });
}

/** Makes a quote request of a contact message. */
export function makeQuoteOfMessage(token: string, id: string): Promise<ChangedRequest> {
  return callApi(`${at(id)}/quote`, post(token));
}

/** Stores the draft of a form; empty fields delete it. */
export function storeDraft(
  token: string,
  id: string,
  form: string,
  fields: Record<string, string>,
  keepalive: boolean,
): Promise<void> {
  return callApi(`${at(id)}/drafts/${form}`, { method: 'PUT', token, body: { fields }, keepalive });
}

export function deleteNote(token: string, id: string, note: number): Promise<HistoryEvent> {
  return callApi(`${at(id)}/notes/${note}`, { method: 'DELETE', token });
}

export function removeRequestFile(token: string, id: string, key: string): Promise<HistoryEvent> {
  return callApi(`${at(id)}/files/remove`, post(token, { key }));
}

/** Undoes the caller's last change of a request, or the named event. */
export function undoChange(token: string, id: string, event?: number): Promise<RequestItem> {
  return callApi(`${at(id)}/undo`, post(token, event === undefined ? {} : { event }));
}

/** Passes a message on to a colleague. */
export function forwardMessage(
  token: string,
  id: string,
  event: number,
  body: { to: string; note: string },
): Promise<HistoryEvent> {
  return callApi(`${at(id)}/messages/${event}/forward`, post(token, body));
}

export function undoBulk(token: string, undo: string): Promise<BulkResult> {
  return callApi('/api/admin/inbox/undo', post(token, { token: undo }));
}

export function addNote(token: string, id: string, text: string): Promise<HistoryEvent> {
  return callApi(`${at(id)}/notes`, post(token, { text }));
}

export function logCall(
  token: string,
  id: string,
  outcome: CallOutcome,
  note: string,
  remindAt: string | undefined,
): Promise<HistoryEvent> {
  const more = { ...(note ? { note } : {}), ...(remindAt ? { remind_at: remindAt } : {}) };
  return callApi(`${at(id)}/calls`, post(token, { outcome, ...more }));
}

/** `remindAt`: RFC 3339, or null to end the reminder. */
export function setFollowUp(token: string, id: string, remindAt: string | null): Promise<ChangedRequest> {
  return callApi(`${at(id)}/follow-up`, { method: 'PUT', token, body: { at: remindAt } });
}

export function setOutcome(token: string, id: string, outcome: OutcomeChange): Promise<ChangedRequest> {
  return callApi(`${at(id)}/outcome`, { method: 'PUT', token, body: outcome });
}

/** `seen` is the last event that the writer has seen: 409 if a colleague has answered since. */
export function sendReply(
  token: string,
  id: string,
  reply: { subject: string; text: string; to: string; seen: number; cc: string[]; files: string[] },
): Promise<HistoryEvent> {
  return callApi(`${at(id)}/replies`, post(token, reply));
}

export function readProfile(token: string): Promise<Profile> {
  return callApi('/api/admin/profile', { token });
}

export function saveProfile(token: string, profile: Profile): Promise<Profile> {
  return callApi('/api/admin/profile', { method: 'PUT', token, body: profile });
}

/** The templates with their `{{facts}}`. */
export function listTemplates(token: string): Promise<{ templates: ReplyTemplate[] }> {
  return callApi('/api/admin/reply-templates', { token });
}

export function addTemplate(token: string, template: NewTemplate): Promise<ReplyTemplate> {
  return callApi('/api/admin/reply-templates', post(token, template));
}

export function changeTemplate(token: string, key: string, template: NewTemplate): Promise<ReplyTemplate> {
  return callApi(`/api/admin/reply-templates/${key}`, { method: 'PUT', token, body: template });
}

export function deleteTemplate(token: string, key: string): Promise<void> {
  return callApi(`/api/admin/reply-templates/${key}`, { method: 'DELETE', token });
}

export function readTemplates(token: string, id: string): Promise<{ templates: ReplyTemplate[] }> {
  return callApi(`${at(id)}/reply-templates`, { token });
}

/** Stores a request by phone; the same key and body are stored once. */
export function takePhoneRequest(
  token: string,
  body: Record<string, string | boolean>,
  key: string,
): Promise<ChangedRequest> {
  const headers = { 'idempotency-key': key };
  return callApi('/api/admin/inbox/phone', { ...post(token, body), headers });
}

/** What the signed-in person has typed of a request by phone. */
export function readPhoneDraft(token: string): Promise<PhoneDraft> {
  return callApi('/api/admin/inbox/phone', { token });
}

/** Merges two open requests; returns the one that stays. */
export function mergeRequests(token: string, id: string, request: string): Promise<ChangedRequest> {
  return callApi(`${at(id)}/merge`, post(token, { request }));
}

/** Separates a duplicate from the request that shows it. */
export function separateRequest(token: string, id: string, request: string): Promise<ChangedRequest> {
  return callApi(`${at(id)}/separate`, post(token, { request }));
}

/** Holds a request as spam. */
export function markAsSpam(token: string, id: string): Promise<ChangedRequest> {
  return callApi(`${at(id)}/spam`, post(token));
}

export function releaseRequest(token: string, id: string): Promise<ChangedRequest> {
  return callApi(`${at(id)}/release`, post(token));
}

export function discardRequest(token: string, id: string): Promise<ChangedRequest> {
  return callApi(`${at(id)}/discard`, post(token));
}

export function resendEmail(token: string, emailId: string): Promise<void> {
  return callApi(`/api/admin/emails/${encodeURIComponent(emailId)}/retry`, post(token));
}

export function listPeople(token: string): Promise<{ people: Person[] }> {
  return callApi('/api/admin/people', { token });
}

export function listFilters(token: string): Promise<{ filters: SavedFilter[] }> {
  return callApi('/api/admin/filters', { token });
}

export function saveFilter(
  token: string,
  filter: Pick<SavedFilter, 'name' | 'query' | 'shared'>,
): Promise<SavedFilter> {
  return callApi('/api/admin/filters', post(token, filter));
}

export function deleteFilter(token: string, id: string): Promise<void> {
  return callApi(`/api/admin/filters/${encodeURIComponent(id)}`, { method: 'DELETE', token });
}

/** The requests of a query as a file. */
export function exportRequests(token: string, query: InboxQuery, format: 'csv' | 'json'): Promise<Blob> {
  return download(`/api/admin/export?${new URLSearchParams({ ...query, format })}`, token);
}

function post(token: string, body?: unknown): Request {
  return { method: 'POST', token, ...(body === undefined ? {} : { body }) };
}
