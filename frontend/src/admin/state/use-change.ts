// Runs the changes of requests: one at a time for each, with a note on the row where another
// dispatcher was first.
import { useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import type { RequestItem, Status } from '../../api/inbox';
import { personName, statusText } from '../requests/format';
import { FormFault } from '../ui/use-submit';
import type { RequestListStore } from './use-request-list';

/** Why a form was not stored, or a key did nothing, while another change of its request runs. */
export const underWay = 'Another change of this request is under way. Try again in a moment.';

export function useChange({ reread, put, handleAuthError }: RequestListStore) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  /** The ids of `busy`, before they are rendered. */
  const running = useRef(new Set<string>());
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});

  /** Runs one change of a request at a time; returns whether it is done. */
  async function change(request: RequestItem, failed: (error: unknown) => void, job: () => Promise<void>) {
    const { id } = request;
    if (running.current.has(id)) return false;
    running.current.add(id);
    setBusy(new Set(running.current));
    setNotes(({ [id]: _, ...rest }) => rest);
    try {
      await job();
      return true;
    } catch (error) {
      failed(error);
      handleAuthError(error);
      if (error instanceof ApiError && error.status === 409) await showConflict(request, error);
      return false;
    } finally {
      running.current.delete(id);
      setBusy(new Set(running.current));
    }
  }

  /** Runs a change of a form, for which it throws the error. */
  async function changeByForm(request: RequestItem, job: () => Promise<void>): Promise<void> {
    let failure: unknown = new FormFault(underWay);
    const failed = (error: unknown) => {
      failure = error;
    };
    if (!(await change(request, failed, job))) throw failure;
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

  return { busy, notes, change, changeByForm };
}
