// Merging two requests into one, and separating them.

import type { RequestItem } from '../../api/inbox';
import { mergeRequests, separateRequest } from '../../api/inbox';
import { toast } from '../../ui/toast';
import { type ChangeTools, errorToast } from './use-change';

export function mergeChanges({ manager, store, runner: { change }, offerUndo }: ChangeTools) {
  const { put, drop, bringBack, refresh } = store;

  /** Merges two requests; `keep` stays where both could. `done` gets the one that stays. */
  function merge(
    request: RequestItem,
    other: string,
    keep: string | undefined,
    done: (kept: RequestItem) => void,
  ): Promise<boolean> {
    return change(request, errorToast('Not merged'), async () => {
      const kept = await manager.withToken(mergeRequests, request.id, other, keep);
      const duplicate = kept.id === request.id ? other : request.id;
      drop(duplicate);
      put(kept);
      offerUndo(kept, 'Merged', `Both are ${kept.reference} now.`, {
        undone: 'They are two requests again.',
        after() {
          bringBack(duplicate);
          done(kept);
        },
      });
      done(kept);
      await refresh();
    });
  }

  function separate(request: RequestItem, duplicate: RequestItem, done: () => void): Promise<boolean> {
    return change(request, errorToast('Not separated'), async () => {
      put(await manager.withToken(separateRequest, request.id, duplicate.id));
      toast({ title: 'Separated', detail: `${duplicate.reference} is in the list again.` });
      bringBack(duplicate.id);
      done();
      await refresh();
    });
  }

  return { merge, separate };
}
