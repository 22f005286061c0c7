// Changes of requests: moves with the specification's toasts (section 8), assignment, release and
// discard; one at a time per request, with a note on the row where another dispatcher was first.
import { useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { changeRequest, changeRequests, discardRequest, releaseRequest } from '../../api/inbox';
import type { BulkResult, RequestChange, RequestItem, Status } from '../../api/inbox-types';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { errorMessage } from '../use-submit';
import { personName, statusText } from './format';
import { applyMove } from './request-list-state';
import { type Undoable, undoDetail, undoTime } from './undo';
import type { RequestListStore } from './use-request-list';
import { useUndo } from './use-undo';

export type Changes = ReturnType<typeof useChanges>;

/** The server's `assignee` for the signed-in user. */
export const me = 'me';

export function useChanges(store: RequestListStore) {
  const { setState, reread, put, refresh, handleAuthError } = store;
  const { manager } = useAuth();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});
  const [refused, setRefused] = useState<BulkResult['refused']>([]);
  const { undoable, offer, undo, undoLast } = useUndo(store, setRefused);

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

  const done = (title: string, text: string, undoableChange: Undoable, ids?: string[]) => {
    offer(undoableChange, ids);
    toast({ title, detail: undoDetail(text, undoableChange, undo), duration: undoTime });
  };

  function move(request: RequestItem, to: Status): Promise<void> {
    return change(
      request,
      async () => {
        const moved = await manager.withToken((token) => changeRequest(token, request.id, { status: to }));
        setState((now) => applyMove(now, moved, request.status));
        const noun = request.kind === 'quote' ? 'Quote' : 'Message';
        done('Status Updated', `${noun} status changed to ${to}.`, { id: request.id });
      },
      () => toast({ title: 'Error', detail: `Failed to update ${request.kind} status.`, destructive: true }),
    );
  }

  /** `assignee` is `me`, a user id, or null for nobody. */
  function assign(request: RequestItem, assignee: string | null): Promise<void> {
    return change(
      request,
      async () => {
        const assigned = await manager.withToken((token) => changeRequest(token, request.id, { assignee }));
        put(assigned);
        const to = assigned.assignee ? `to ${personName(assigned.assignee)}` : 'to nobody';
        done('Assigned', `${request.reference} is assigned ${to}.`, { id: request.id });
      },
      (error) => toast({ title: 'Not assigned', detail: errorMessage(error), destructive: true }),
    );
  }

  function release(request: RequestItem): Promise<void> {
    return change(
      request,
      async () => {
        put(await manager.withToken((token) => releaseRequest(token, request.id)));
        toast({ title: 'Released', detail: `${request.reference} is in the queue, and its emails leave.` });
        await refresh();
      },
      (error) => toast({ title: 'Not released', detail: errorMessage(error), destructive: true }),
    );
  }

  function discard(request: RequestItem): Promise<void> {
    return change(
      request,
      async () => {
        await manager.withToken((token) => discardRequest(token, request.id));
        put({ ...request, status: 'cancelled' });
        const text = `${request.reference} is deleted with the other held requests.`;
        done('Discarded', text, { id: request.id });
        await refresh();
      },
      (error) => toast({ title: 'Not discarded', detail: errorMessage(error), destructive: true }),
    );
  }

  /** Changes many requests in one transaction; returns whether the server answered. */
  async function changeMany(ids: string[], changed: RequestChange): Promise<boolean> {
    try {
      const result = await manager.withToken((token) => changeRequests(token, ids, changed));
      const count = result.changed.length;
      const [first] = result.changed;
      setRefused(result.refused);
      const to = 'status' in changed ? ` to ${statusText(changed.status)}` : '';
      const text = `${count} of ${ids.length} requests changed${to}.`;
      if (first && result.undo)
        done('Requests Updated', text, { id: first, bulk: { token: result.undo, count } }, result.changed);
      else toast({ title: 'Requests Updated', detail: text });
      await refresh(ids);
      return true;
    } catch (error) {
      toast({ title: 'Error', detail: errorMessage(error), destructive: true });
      handleAuthError(error);
      return false;
    }
  }

  return {
    /** Ids of requests whose change is under way. */
    busy,
    /** What a row says about its last change, by id. */
    notes,
    /** Changes of the last minute, by id. */
    undoable,
    undo,
    undoLast,
    move,
    assign,
    release,
    discard,
    changeMany,
    /** The requests that the last change of many left as they were, with reasons. */
    refused,
    clearRefused: () => setRefused([]),
  };
}
