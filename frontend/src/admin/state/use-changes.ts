// Changes of requests: moves with the specification's toasts (section 8), corrections, assignment,
// and those of the files beside this one.
import { useState } from 'react';
import { hasErrorCode } from '../../api/admin-client';
import type { BulkResult, CorrectionName, RequestItem, Status } from '../../api/inbox';
import { changeRequest, correctRequest } from '../../api/inbox';
import { confirmOffer } from '../../api/offers';
import { toast } from '../../ui/toast';
import { isOpen, personName, statusText } from '../requests/format';
import { useAuth } from '../session/provider';
import { errorMessage, failureTitle } from '../ui/use-submit';
import { editChanges } from './edit-changes';
import { followUpChanges } from './follow-up-changes';
import { heldChanges } from './held-changes';
import { mergeChanges } from './merge-changes';
import { useBulk } from './use-bulk';
import { type ChangeTools, errorToast, useChange } from './use-change';
import type { RequestListStore } from './use-request-list';
import { useUndo } from './use-undo';

export type Changes = ReturnType<typeof useChanges>;

/** The server's `assignee` for the signed-in user. */
export const me = 'me';

/** `closed` is called with a request that this user has completed or rejected. */
export function useChanges(store: RequestListStore, closed: (request: RequestItem) => void) {
  const { putMoved, put, reread, refresh } = store;
  const { manager } = useAuth();
  const [refused, setRefused] = useState<BulkResult['refused']>([]);
  const runner = useChange(store);
  const { busy, notes, change, changeByForm } = runner;
  const { undoable, offer, undo, undoEvent, undoLast } = useUndo(store, setRefused);
  const { progress, changeMany } = useBulk(store, offer, setRefused);
  const offerUndo: ChangeTools['offerUndo'] = ({ id, event }, title, text, change) =>
    offer(title, text, { id, event: event ?? undefined, ...change });
  const tools: ChangeTools = { manager, store, runner, offerUndo };

  function move(request: RequestItem, to: Status): Promise<boolean> {
    const failed = (error: unknown) => {
      const isUnknown = hasErrorCode(error, 'unanswered');
      const detail = isUnknown ? errorMessage(error) : `Failed to update ${request.kind} status.`;
      toast({ title: failureTitle(error, 'Error'), detail, destructive: true });
    };
    return change(request, failed, async () => {
      const moved = await manager.withToken(changeRequest, request.id, { status: to });
      putMoved(moved, request.status);
      const noun = request.kind === 'quote' ? 'Quote' : 'Message';
      offerUndo(moved, 'Status Updated', `${noun} status changed to ${to}.`, {
        undone: `${request.reference} is ${statusText(request.status)} again.`,
      });
      if (!isOpen(moved) && !moved.outcome) closed(moved);
    });
  }

  /** Confirms that the posts of the accepted offer of a request are staffed. */
  function confirmStaffed(request: RequestItem): Promise<boolean> {
    const { id, reference } = request;
    return change(request, errorToast('Not confirmed'), async () => {
      await manager.withToken(confirmOffer, request.offer?.number ?? '');
      await reread(id);
      offer('Confirmed', `The posts of ${reference} are staffed.`, {
        id,
        event: undefined,
        undone: `The posts of ${reference} are to be staffed again.`,
      });
      await refresh();
    });
  }

  /** Reopens or withdraws a request; returns an error for the form, empty if it is done. */
  function correct(request: RequestItem, correction: CorrectionName, reason: string): Promise<string> {
    const { id, reference, status } = request;
    return changeByForm(request, async () => {
      const corrected = await manager.withToken(correctRequest, id, correction, reason);
      putMoved(corrected, status);
      const title = correction === 'reopen' ? 'Reopened' : 'Withdrawn';
      offerUndo(corrected, title, `${reference} is ${statusText(corrected.status)}.`, {
        undone: `${reference} is ${statusText(status)} again.`,
      });
    });
  }

  /** `assignee` is `me`, a user id, or null for unassigned. */
  function assign(request: RequestItem, assignee: string | null): Promise<boolean> {
    return change(request, errorToast('Not assigned'), async () => {
      const assigned = await manager.withToken(changeRequest, request.id, { assignee });
      put(assigned);
      const to = assigned.assignee ? personName(assigned.assignee) : 'nobody';
      const before = request.assignee ? personName(request.assignee) : 'nobody';
      offerUndo(assigned, 'Assigned', `${request.reference} is assigned to ${to}.`, {
        undone: `${request.reference} is assigned to ${before} again.`,
      });
    });
  }

  return {
    ...heldChanges(tools),
    ...mergeChanges(tools),
    ...followUpChanges(tools),
    ...editChanges(tools),
    move,
    confirmStaffed,
    correct,
    assign,
    changeMany,
    offer,
    undo,
    undoEvent,
    undoLast,
    /** Ids of requests whose change is under way. */
    busy,
    /** What a row says about its last change, by id. */
    notes,
    /** Changes of the last minute, by id. */
    undoable,
    /** How far a change of many is. */
    progress,
    /** The requests that the last bulk change did not change, with reasons. */
    refused,
    clearRefused: () => setRefused([]),
  };
}
