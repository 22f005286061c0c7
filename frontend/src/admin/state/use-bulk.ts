// Changes of many requests: in parts that the server takes at once, with progress, and one undo for
// all of them.
import { useState } from 'react';
import { type BulkResult, changeRequests, type RequestChange } from '../../api/inbox';
import { toast } from '../../ui/toast';
import { countText, statusText } from '../requests/format';
import { applyBulk } from '../requests/request-list-state';
import type { Offer } from '../requests/undo';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';
import type { RequestListStore } from './use-request-list';
import { inParts, type Progress } from './use-selection';

export function useBulk(
  { setState, refresh, handleAuthError }: RequestListStore,
  offer: Offer,
  showRefused: (refused: BulkResult['refused']) => void,
) {
  const { manager } = useAuth();
  const [progress, setProgress] = useState<Progress>();

  /** Returns whether all were changed. What was done before an error can be undone. */
  async function changeMany(ids: string[], changed: RequestChange): Promise<boolean> {
    const total = ids.length;
    const refused: BulkResult['refused'] = [];
    const all: string[] = [];
    let undo: string | undefined;
    let failure: unknown;
    setProgress({ done: 0, total });
    try {
      for (const part of inParts(ids)) {
        const token = undo;
        const result = await manager.withToken(changeRequests, part, changed, token);
        undo = result.undo ?? undo;
        all.push(...result.changed);
        refused.push(...result.refused);
        setState((now) => applyBulk(now, result.changed, changed));
        setProgress((now) => now && { ...now, done: now.done + part.length });
      }
    } catch (error) {
      failure = error;
    }
    setProgress(undefined);
    showRefused(refused);
    const to = 'status' in changed ? ` to ${statusText(changed.status)}` : '';
    const text = `${countText(all.length)} of ${countText(total)} requests changed${to}.`;
    const title = refused.length > 0 ? 'Not all were changed' : 'Requests Updated';
    const [first] = all;
    if (first && undo) {
      const undone = `${countText(all.length)} requests are as they were before.`;
      const bulk = { token: undo, count: all.length };
      offer(title, text, { id: first, event: undefined, bulk, undone });
    } else if (!failure) toast({ title: 'Nothing was changed', detail: text, destructive: true });
    if (failure) {
      const detail = all.length > 0 ? `${text} ${errorMessage(failure)}` : errorMessage(failure);
      toast({ title: 'Error', detail, destructive: true });
      handleAuthError(failure);
    }
    await refresh(ids);
    return !failure && refused.length === 0;
  }

  return { progress, changeMany };
}
