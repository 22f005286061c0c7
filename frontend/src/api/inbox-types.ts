// The inbox's types, by the names that the dashboard uses. All are generated from the API
// description.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Status = Schemas['Status'];
export type Counts = Schemas['StatusCounts'];
export type Attribution = Schemas['Attribution'];
export type Kind = Schemas['RequestKind'];

/** An admin, as requests and events name them. */
export type Person = Schemas['Person'];

/** A quote request or a contact message. */
export type RequestItem = Schemas['RequestItem'];

/** The number of requests in each view, regardless of the filters. */
export type ViewCounts = Schemas['InboxViews'];

export type InboxPage = Schemas['InboxPage'];

/** Where a search has found a request. */
export type FoundIn = Schemas['FoundIn'];

export type InboxIds = Schemas['InboxIds'];

/** A request after a change, with the event that undoes it. */
export type ChangedRequest = Schemas['ChangedRequest'];

/** A correction of a status, beside the three moves. */
export type CorrectionName = 'reopen' | 'withdraw';

/** A change of a request. The fields of `detail` depend on the verb (panel/describe-event.ts). */
export type HistoryEvent = Schemas['RequestEvent'];

/** Another request of the same person. */
export type RelatedRequest = Schemas['RelatedRequest'];

export type RequestDetail = Schemas['InboxRequest'];

/** The outcome of a closed request. */
export type RequestOutcome = Schemas['RequestOutcome'];

/** The outcome of a request, to be recorded. */
export type OutcomeChange = Schemas['OutcomeChange'];

export type CallOutcome = Schemas['CallOutcome'];

/** What was typed of a request by phone. */
export type PhoneDraft = Schemas['PhoneDraft'];

export type ReplyTemplate = Schemas['ReplyTemplate'];

/** A template to be stored. */
export type NewTemplate = Schemas['NewTemplate'];

/** How colleagues and customers see an admin. */
export type Profile = Schemas['Profile'];

export type SavedFilter = Schemas['NamedFilter'];

/** A status, or an assignee: `me`, a user id, or null for unassigned. */
export type RequestChange = { status: Status } | { assignee: string | null };

export type BulkResult = Schemas['BulkChangeResult'];

/** A file of a quote request. */
export type RequestFile = Schemas['RequestFile'];
