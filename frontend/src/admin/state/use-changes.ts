// Changes of requests: moves with the specification's toasts (section 8), assignment, release and
// discard; one at a time per request, with a note on the row where another dispatcher was first.
import { useState } from 'react';
import { ApiError } from '../../api/admin-client';
import {
  changeRequest,
  correctRequest,
  discardRequest,
  markAsSpam,
  mergeRequests,
  releaseRequest,
  separateRequest,
  setFollowUp,
  setOutcome,
} from '../../api/inbox';
import type { BulkResult, CorrectionName, OutcomeChange, RequestItem, Status } from '../../api/inbox-types';
import { toast } from '../../ui/toast';
import { shortTime } from '../requests/follow-up-times';
import { isOpen, personName, statusText } from '../requests/format';
import { outcomeText } from '../requests/outcome-text';
import { applyMove } from '../requests/request-list-state';
import { emailDelay } from '../requests/undo';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';
import { useBulk } from './use-bulk';
import type { RequestListStore } from './use-request-list';
import { useUndo } from './use-undo';

export type Changes = ReturnType<typeof useChanges>;

/** The server's `assignee` for the signed-in user. */
export const me = 'me';

/** `closed` is called with a request that this user has completed or rejected. */
export function useChanges(store: RequestListStore, closed: (request: RequestItem) => void) {
  const { setState, reread, put, drop, refresh, handleAuthError } = store;
  const { manager } = useAuth();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});
  const [refused, setRefused] = useState<BulkResult['refused']>([]);
  const { undoable, offer, undo, undoEvent, undoLast } = useUndo(store, setRefused);
  const { progress, changeMany } = useBulk(store, offer, setRefused);

  /** Runs one change of a request at a time. */
  async function change(request: RequestItem, job: () => Promise<void>, failed: (error: unknown) => void) {
    const { id } = request;
    if (busy.has(id)) return;
    setBusy((ids) => new Set(ids).add(id));
    setNotes(({ [id]: _, ...rest }) => rest);
    try {
      await job();
    } catch (error) {
      failed(error);
      handleAuthError(error);
      if (error instanceof ApiError && error.status === 409) await showConflict(request, error);
    } finally {
      setBusy((ids) => new Set([...ids].filter((other) => other !== id)));
    }
  }

  /** Another dispatcher changed the request first: updates the row and adds a note. */
  async function showConflict(request: RequestItem, { details }: ApiError) {
    const status = details.currentStatus as Status | undefined;
    const now = (await reread(request.id)) ?? (status ? { ...request, status } : request);
    put(now);
    const text = details.currentAssignee
      ? `${personName(details.currentAssignee)} already has this request.`
      : `Another dispatcher already took this: it is ${statusText(now.status)} now.`;
    setNotes((all) => ({ ...all, [request.id]: text }));
  }

  function move(request: RequestItem, to: Status): Promise<void> {
    return change(
      request,
      async () => {
        const moved = await manager.withToken((token) => changeRequest(token, request.id, { status: to }));
        setState((now) => applyMove(now, moved, request.status));
        const noun = request.kind === 'quote' ? 'Quote' : 'Message';
        offer('Status Updated', `${noun} status changed to ${to}.`, {
          id: request.id,
          event: moved.event ?? undefined,
          undone: `${request.reference} is ${statusText(request.status)} again.`,
        });
        if (!isOpen(moved) && !moved.outcome) closed(moved);
      },
      () => toast({ title: 'Error', detail: `Failed to update ${request.kind} status.`, destructive: true }),
    );
  }

  /** Reopens or withdraws a request; returns an error for the form, empty if it is done. */
  async function correct(request: RequestItem, correction: CorrectionName, reason: string): Promise<string> {
    let failure = '';
    await change(
      request,
      async () => {
        const { id, reference, status } = request;
        const corrected = await manager.withToken((token) => correctRequest(token, id, correction, reason));
        setState((now) => applyMove(now, corrected, status));
        const title = correction === 'reopen' ? 'Reopened' : 'Withdrawn';
        offer(title, `${reference} is ${statusText(corrected.status)}.`, {
          id,
          event: corrected.event ?? undefined,
          undone: `${reference} is ${statusText(status)} again.`,
        });
      },
      (error) => {
        failure = errorMessage(error);
      },
    );
    return failure;
  }

  /** Reminds this user at a time, or with null never; returns an error, or an empty text. */
  async function remind(request: RequestItem, at: string | null): Promise<string> {
    let failure = '';
    await change(
      request,
      async () => {
        const { id, reference } = request;
        const changed = await manager.withToken((token) => setFollowUp(token, id, at));
        put(changed);
        const text = at
          ? `${reference} is back at ${shortTime(at, Date.now())}.`
          : `The reminder of ${reference} has ended.`;
        offer(at ? 'Reminder set' : 'Done', text, {
          id,
          event: changed.event ?? undefined,
          undone: `The reminder of ${reference} is what it was before.`,
        });
        await refresh();
      },
      (error) => {
        failure = errorMessage(error);
        if (!at) toast({ title: 'Not ended', detail: failure, destructive: true });
      },
    );
    return failure;
  }

  /** Records how a request has ended; returns an error, or an empty text. */
  async function recordOutcome(request: RequestItem, outcome: OutcomeChange): Promise<string> {
    let failure = '';
    await change(
      request,
      async () => {
        const { id, reference } = request;
        const ended = await manager.withToken((token) => setOutcome(token, id, outcome));
        put(ended);
        const text = ended.outcome ? outcomeText(ended.outcome, ended.outcome.value) : 'No outcome';
        offer('Outcome saved', `${reference}: ${text}.`, {
          id,
          event: ended.event ?? undefined,
          undone: `The outcome of ${reference} is what it was before.`,
        });
      },
      (error) => {
        failure = errorMessage(error);
      },
    );
    return failure;
  }

  /** `assignee` is `me`, a user id, or null for unassigned. */
  function assign(request: RequestItem, assignee: string | null): Promise<void> {
    return change(
      request,
      async () => {
        const assigned = await manager.withToken((token) => changeRequest(token, request.id, { assignee }));
        put(assigned);
        const to = assigned.assignee ? `to ${personName(assigned.assignee)}` : 'to nobody';
        const before = request.assignee ? personName(request.assignee) : 'nobody';
        offer('Assigned', `${request.reference} is assigned ${to}.`, {
          id: request.id,
          event: assigned.event ?? undefined,
          undone: `${request.reference} is assigned to ${before} again.`,
        });
      },
      (error) => toast({ title: 'Not assigned', detail: errorMessage(error), destructive: true }),
    );
  }

  function release(request: RequestItem): Promise<void> {
    return change(
      request,
      async () => {
        const released = await manager.withToken((token) => releaseRequest(token, request.id));
        put(released);
        const wasMarked = request.held_reasons.some(({ signal }) => signal === 'marked');
        const emails = wasMarked ? '' : ' Its emails leave in ten seconds.';
        offer('Released', `${request.reference} is in the list.${emails}`, {
          id: request.id,
          event: released.event ?? undefined,
          undone: `${request.reference} is held again${wasMarked ? '' : ', and its emails do not leave'}.`,
          time: emailDelay,
        });
        await refresh();
      },
      (error) => toast({ title: 'Not released', detail: errorMessage(error), destructive: true }),
    );
  }

  /** Merges a request with another; `done` is called with the one that stays. */
  function merge(request: RequestItem, other: string, done: (kept: RequestItem) => void): Promise<void> {
    return change(
      request,
      async () => {
        const kept = await manager.withToken((token) => mergeRequests(token, request.id, other));
        drop(kept.id === request.id ? other : request.id);
        put(kept);
        offer('Merged', `Both are ${kept.reference} now.`, {
          id: kept.id,
          event: kept.event ?? undefined,
          undone: 'They are two requests again.',
          after: () => done(kept),
        });
        done(kept);
        await refresh();
      },
      (error) => toast({ title: 'Not merged', detail: errorMessage(error), destructive: true }),
    );
  }

  function separate(request: RequestItem, duplicate: RequestItem, done: () => void): Promise<void> {
    return change(
      request,
      async () => {
        put(await manager.withToken((token) => separateRequest(token, request.id, duplicate.id)));
        toast({ title: 'Separated', detail: `${duplicate.reference} is in the list again.` });
        done();
        await refresh();
      },
      (error) => toast({ title: 'Not separated', detail: errorMessage(error), destructive: true }),
    );
  }

  function markSpam(request: RequestItem): Promise<void> {
    return change(
      request,
      async () => {
        const marked = await manager.withToken((token) => markAsSpam(token, request.id));
        put(marked);
        offer('Marked as spam', `${request.reference} is held. It can be released there.`, {
          id: request.id,
          event: marked.event ?? undefined,
          undone: `${request.reference} is no spam.`,
        });
        await refresh();
      },
      (error) => toast({ title: 'Not marked', detail: errorMessage(error), destructive: true }),
    );
  }

  function discard(request: RequestItem): Promise<void> {
    return change(
      request,
      async () => {
        const discarded = await manager.withToken((token) => discardRequest(token, request.id));
        put(discarded);
        offer('Discarded', `${request.reference} is deleted with the other held requests.`, {
          id: request.id,
          event: discarded.event ?? undefined,
          undone: `${request.reference} is held again.`,
        });
        await refresh();
      },
      (error) => toast({ title: 'Not discarded', detail: errorMessage(error), destructive: true }),
    );
  }

  return {
    /** Ids of requests whose change is under way. */
    busy,
    /** What a row says about its last change, by id. */
    notes,
    /** Changes of the last minute, by id. */
    undoable,
    undo,
    undoEvent,
    undoLast,
    offer,
    move,
    correct,
    remind,
    recordOutcome,
    assign,
    merge,
    separate,
    markSpam,
    release,
    discard,
    changeMany,
    /** How far a change of many is. */
    progress,
    /** The requests that the last change of many left as they were, with reasons. */
    refused,
    clearRefused: () => setRefused([]),
  };
}
