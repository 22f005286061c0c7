// The inbox's calls: requests, their history, replies, people and named filters. The server checks
// access and every change; on a 409 the error's details have the current state.

import { callApi, download, patch, post, put, remove } from './admin-client';
import type { components } from './schema';

/**
 * The inbox's types, by the names that the dashboard uses. All are generated from the API
 * description.
 */
type Schemas = components['schemas'];

export type Status = Schemas['Status'];

/** In the order of a quote's lifecycle. */
export const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const satisfies Status[];

export type Counts = Schemas['StatusCounts'];
export type Attribution = Schemas['Attribution'];

/** An admin, as requests and events name them. */
export type Person = Schemas['Person'];

/** A quote request or a contact message. */
export type RequestItem = Schemas['RequestItem'];

/** The number of requests in each view, regardless of the filters. */
export type ViewCounts = Schemas['InboxViews'];

export type InboxPage = Schemas['InboxPage'];

/** Where a search has found a request. */
export type FoundIn = Schemas['FoundIn'];

type InboxIds = Schemas['InboxIds'];

/** A request after a change, with the event that undoes it. */
export type ChangedRequest = Schemas['ChangedRequest'];

/** A correction of a status, beside the three moves. */
export type CorrectionName = Schemas['Correction'];

/** A change of a request: a verb with its detail. */
export type HistoryEvent = Schemas['RequestEvent'];

export type Verb = HistoryEvent['verb'];

/** The events with these verbs. */
export type EventOf<V extends Verb> = Extract<HistoryEvent, { verb: V }>;

/** How an email or an alarm fares. */
export type Delivery = Pick<Schemas['Emailed'], 'state' | 'at' | 'error' | 'email_id'>;

/** The events of a history with a verb. */
export const eventsOf = <V extends Verb>(history: HistoryEvent[], verb: V) =>
  history.filter((event) => event.verb === verb) as EventOf<V>[];

/** Another request of the same person. */
export type RelatedRequest = Schemas['RelatedRequest'];

export type RequestDetail = Schemas['InboxRequest'];

/** The outcome of a closed request. */
export type RequestOutcome = Schemas['RequestOutcome'];

/** The outcome of a request, to be recorded. */
export type OutcomeChange = Schemas['OutcomeChange'];

export type CallOutcome = Schemas['CallOutcome'];

/** What was typed of a request by phone. */
type PhoneDraft = Schemas['PhoneDraft'];

export type ReplyTemplate = Schemas['ReplyTemplate'];

/** A template to be stored. */
type NewTemplate = Schemas['NewTemplate'];

/** How colleagues and customers see an admin. */
export type Profile = Schemas['Profile'];

export type SavedFilter = Schemas['NamedFilter'];

/** A status, or an assignee: `me`, a user id, or null for unassigned. */
export type RequestChange = { status: Status } | { assignee: string | null };

export type BulkResult = Schemas['BulkChangeResult'];

/** A file of a quote request. */
export type RequestFile = Schemas['RequestFile'];

export type InboxQuery = Record<string, string>;

const at = (id: string) => `/api/admin/inbox/${encodeURIComponent(id)}`;

export const listRequests = (token: string, query: InboxQuery, signal?: AbortSignal) =>
  callApi<InboxPage>(`/api/admin/inbox?${new URLSearchParams(query)}`, { token, signal });

/** `id` is a UUID or a reference. */
export const readRequest = (token: string, id: string, signal?: AbortSignal) =>
  callApi<RequestDetail>(at(id), { token, signal });

export const changeRequest = (token: string, id: string, change: RequestChange) =>
  callApi<ChangedRequest>(at(id), patch(token, change));

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
export const listIds = (token: string, query: InboxQuery) =>
  callApi<InboxIds>(`/api/admin/inbox/ids?${new URLSearchParams(query)}`, { token });

export const correctRequest = (token: string, id: string, correction: CorrectionName, reason: string) =>
  callApi<ChangedRequest>(`${at(id)}/corrections`, post(token, { correction, reason }));

/** Corrects fields of a request; `from` are the values that the caller has seen. */
export const editRequest = (
  token: string,
  id: string,
  edit: { from: Record<string, string>; to: Record<string, string> },
) => callApi<ChangedRequest>(`${at(id)}/fields`, patch(token, edit));

/** Makes a quote request of a contact message. */
export const makeQuoteOfMessage = (token: string, id: string) =>
  callApi<ChangedRequest>(`${at(id)}/quote`, post(token));

/** Stores the draft of a form; empty fields delete it. */
export const storeDraft = (
  token: string,
  id: string,
  form: string,
  fields: Record<string, string>,
  keepalive: boolean,
) => callApi<void>(`${at(id)}/drafts/${form}`, { method: 'PUT', token, body: { fields }, keepalive });

export const deleteNote = (token: string, id: string, note: number) =>
  callApi<HistoryEvent>(`${at(id)}/notes/${note}`, remove(token));

export const removeRequestFile = (token: string, id: string, key: string) =>
  callApi<HistoryEvent>(`${at(id)}/files/remove`, post(token, { key }));

/** Undoes the caller's last change of a request, or the named event. */
export const undoChange = (token: string, id: string, event?: number) =>
  callApi<RequestItem>(`${at(id)}/undo`, post(token, event === undefined ? {} : { event }));

/** Passes a message on to a colleague. */
export const forwardMessage = (
  token: string,
  id: string,
  event: number,
  body: { to: string; note: string },
) => callApi<HistoryEvent>(`${at(id)}/messages/${event}/forward`, post(token, body));

export const undoBulk = (token: string, undo: string) =>
  callApi<BulkResult>('/api/admin/inbox/undo', post(token, { token: undo }));

export const addNote = (token: string, id: string, text: string) =>
  callApi<HistoryEvent>(`${at(id)}/notes`, post(token, { text }));

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
export const setFollowUp = (token: string, id: string, remindAt: string | null) =>
  callApi<ChangedRequest>(`${at(id)}/follow-up`, put(token, { at: remindAt }));

export const setOutcome = (token: string, id: string, outcome: OutcomeChange) =>
  callApi<ChangedRequest>(`${at(id)}/outcome`, put(token, outcome));

/** `seen` is the last event that the writer has seen: 409 if a colleague has answered since. */
export const sendReply = (
  token: string,
  id: string,
  reply: { subject: string; text: string; to: string; seen: number; cc: string[]; files: string[] },
) => callApi<HistoryEvent>(`${at(id)}/replies`, post(token, reply));

export const readProfile = (token: string) => callApi<Profile>('/api/admin/profile', { token });

export const saveProfile = (token: string, profile: Profile) =>
  callApi<Profile>('/api/admin/profile', put(token, profile));

/** The templates with their `{{facts}}`. */
export const listTemplates = (token: string) =>
  callApi<{ templates: ReplyTemplate[] }>('/api/admin/reply-templates', { token });

export const addTemplate = (token: string, template: NewTemplate) =>
  callApi<ReplyTemplate>('/api/admin/reply-templates', post(token, template));

export const changeTemplate = (token: string, key: string, template: NewTemplate) =>
  callApi<ReplyTemplate>(`/api/admin/reply-templates/${key}`, put(token, template));

export const deleteTemplate = (token: string, key: string) =>
  callApi<void>(`/api/admin/reply-templates/${key}`, remove(token));

export const readTemplates = (token: string, id: string) =>
  callApi<{ templates: ReplyTemplate[] }>(`${at(id)}/reply-templates`, { token });

/** Stores a request by phone; the same key and body are stored once. */
export const takePhoneRequest = (token: string, body: Record<string, string | boolean>, key: string) =>
  callApi<ChangedRequest>('/api/admin/inbox/phone', {
    ...post(token, body),
    headers: { 'idempotency-key': key },
  });

/** What the signed-in person has typed of a request by phone. */
export const readPhoneDraft = (token: string) => callApi<PhoneDraft>('/api/admin/inbox/phone', { token });

/** Merges two open requests, of which `keep` stays where both could; returns the one that stays. */
export const mergeRequests = (token: string, id: string, request: string, keep?: string) =>
  callApi<ChangedRequest>(`${at(id)}/merge`, post(token, { request, ...(keep ? { keep } : {}) }));

/** Separates a duplicate from the request that shows it. */
export const separateRequest = (token: string, id: string, request: string) =>
  callApi<ChangedRequest>(`${at(id)}/separate`, post(token, { request }));

/** Holds a request as spam. */
export const markAsSpam = (token: string, id: string) =>
  callApi<ChangedRequest>(`${at(id)}/spam`, post(token));

export const releaseRequest = (token: string, id: string) =>
  callApi<ChangedRequest>(`${at(id)}/release`, post(token));

export const discardRequest = (token: string, id: string) =>
  callApi<ChangedRequest>(`${at(id)}/discard`, post(token));

export const resendEmail = (token: string, emailId: string) =>
  callApi<void>(`/api/admin/emails/${encodeURIComponent(emailId)}/retry`, post(token));

/** Clicks on the phone links by page in the last thirty days, highest first. */
export const listCallClicks = (token: string) => callApi<Schemas['CallClicks']>('/api/admin/taps', { token });

export const listPeople = (token: string) => callApi<{ people: Person[] }>('/api/admin/people', { token });

export const listFilters = (token: string) =>
  callApi<{ filters: SavedFilter[] }>('/api/admin/filters', { token });

export const saveFilter = (token: string, filter: Pick<SavedFilter, 'name' | 'query' | 'shared'>) =>
  callApi<SavedFilter>('/api/admin/filters', post(token, filter));

export const deleteFilter = (token: string, id: string) =>
  callApi<void>(`/api/admin/filters/${encodeURIComponent(id)}`, remove(token));

/** The requests of a query as a file. */
export const exportRequests = (token: string, query: InboxQuery, format: 'csv' | 'json') =>
  download(`/api/admin/export?${new URLSearchParams({ ...query, format })}`, token);

/**
 * The stored data of a visitor, found by the address of the requests.
 */
export type VisitorData = components['schemas']['VisitorData'];

const base = '/api/admin/person';

export const findPerson = (token: string, email: string) =>
  callApi<VisitorData>(`${base}/find`, post(token, { email }));

/** All data as JSON. */
export const exportPerson = (token: string, email: string) => download(`${base}/export`, token, { email });

/**
 * `confirm` is the address as typed. The search words are removed before the answer, which may take
 * a while.
 */
export const erasePerson = (token: string, email: string, confirm: string) =>
  callApi<VisitorData>(`${base}/erase`, { method: 'POST', token, body: { email, confirm }, slow: true });
