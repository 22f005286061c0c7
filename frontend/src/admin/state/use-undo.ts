// What this user can undo, and undoing it; requests/undo.tsx has the rules.
import { useMemo, useRef, useState } from 'react';
import { type BulkResult, undoBulk, undoChange } from '../../api/inbox';
import { toast } from '../../ui/toast';
import {
  byRequest,
  changeOf,
  type Offer,
  type Undoable,
  type UndoList,
  undoDetail,
  undoTime,
  withChange,
  withoutChange,
} from '../requests/undo';
import { useAuth } from '../session/provider';
import { errorToast } from '../ui/use-submit';
import type { RequestListStore } from './use-request-list';

/** `showRefused` names the requests that an undo of many left as they are. */
export function useUndo(
  { put, refresh, reread, handleAuthError }: RequestListStore,
  showRefused: (refused: BulkResult['refused']) => void,
) {
  const { manager } = useAuth();
  const [list, setList] = useState<UndoList>([]);
  // What the key undoes does not wait for a rendering.
  const latest = useRef(list);

  function update(next: UndoList) {
    latest.current = next;
    setList(next);
  }

  const offer: Offer = (title, text, change) => {
    const duration = change.time ?? undoTime;
    update(withChange(latest.current, change));
    setTimeout(() => update(withoutChange(latest.current, change)), duration);
    toast({ title, detail: undoDetail(text, change, undo), duration });
  };

  /** Undoes a change of many in parts; returns what was refused. */
  async function undoMany(token: string): Promise<BulkResult['refused']> {
    const refused: BulkResult['refused'] = [];
    let next: string | null | undefined = token;
    while (next) {
      const part: string = next;
      const result = await manager.withToken(undoBulk, part);
      refused.push(...result.refused);
      next = result.undo;
    }
    return refused;
  }

  async function undo(change: Undoable) {
    update(withoutChange(latest.current, change));
    const { bulk } = change;
    try {
      if (bulk) {
        toast({
          title: 'Undoing',
          detail: `${bulk.count.toLocaleString('en-US')} requests`,
          duration: undoTime,
        });
        showRefused(await undoMany(bulk.token));
      } else put(await manager.withToken(undoChange, change.id, change.event));
      toast({ title: 'Undone', detail: change.undone });
      change.after?.();
      await refresh(bulk ? [] : [change.id]);
    } catch (error) {
      errorToast('Not undone')(error);
      handleAuthError(error);
      await reread(change.id);
    }
  }

  /** Undoes the newest change, if there is one. */
  function undoLast(): boolean {
    const [newest] = latest.current;
    if (!newest) return false;
    undo(newest);
    return true;
  }

  const undoable = useMemo(() => byRequest(list), [list]);
  const undoEvent = (id: string, event: number) => undo(changeOf(latest.current, id, event));
  return { undoable, offer, undo, undoEvent, undoLast };
}
