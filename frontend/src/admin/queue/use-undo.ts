// What this user changed within the last minute, by request, and undoing it.
import { useRef, useState } from 'react';
import { undoBulk, undoChange } from '../../api/inbox';
import type { BulkResult } from '../../api/inbox-types';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { errorMessage } from '../use-submit';
import { type Undoable, undoTime } from './undo';
import type { RequestListStore } from './use-request-list';

/** `showRefused` names the requests that an undo of many left as they are. */
export function useUndo(
  { put, refresh, reread, handleAuthError }: RequestListStore,
  showRefused: (refused: BulkResult['refused']) => void,
) {
  const { manager } = useAuth();
  const [undoable, setUndoable] = useState<ReadonlyMap<string, Undoable>>(new Map());
  const last = useRef<Undoable>(undefined);

  function forget(gone: Undoable, ids: Iterable<string>) {
    if (last.current === gone) last.current = undefined;
    setUndoable((now) => {
      const next = new Map(now);
      for (const id of ids) if (now.get(id) === gone) next.delete(id);
      return next;
    });
  }

  /** Offers to undo a change of these requests for a minute. */
  function offer(change: Undoable, ids: string[] = [change.id]) {
    last.current = change;
    setUndoable((now) => new Map([...now, ...ids.map((id) => [id, change] as const)]));
    setTimeout(forget, undoTime, change, ids);
  }

  async function undo(change: Undoable) {
    const ids = [...undoable].flatMap(([id, it]) => (it === change ? [id] : []));
    forget(change, [change.id, ...ids]);
    const { bulk } = change;
    try {
      if (bulk) {
        const { refused } = await manager.withToken((token) => undoBulk(token, bulk.token));
        showRefused(refused);
      } else put(await manager.withToken((token) => undoChange(token, change.id, change.event)));
      toast({ title: 'Undone' });
      await refresh(ids);
    } catch (error) {
      toast({ title: 'Not undone', detail: errorMessage(error), destructive: true });
      handleAuthError(error);
      await reread(change.id);
    }
  }

  /** Undoes the last change, if there is one within the minute. */
  function undoLast(): boolean {
    if (!last.current) return false;
    undo(last.current);
    return true;
  }

  return { undoable, offer, undo, undoLast };
}
