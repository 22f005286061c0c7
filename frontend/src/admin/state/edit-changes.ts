// Corrections of what a request says, and of its kind.

import type { RequestItem } from '../../api/inbox';
import { editRequest, makeQuoteOfMessage } from '../../api/inbox';
import { type ChangeTools, errorToast, underWay } from './use-change';

export function editChanges({ manager, store, runner: { change }, offerUndo }: ChangeTools) {
  /** Throws the error of a refused edit, for its form. */
  async function edit(
    request: RequestItem,
    changes: { from: Record<string, string>; to: Record<string, string> },
  ): Promise<void> {
    const { id, reference } = request;
    let failure: unknown = new Error(underWay);
    const failed = (error: unknown) => {
      failure = error;
    };
    const isDone = await change(request, failed, async () => {
      const edited = await manager.withToken(editRequest, id, changes);
      store.put(edited);
      if (edited.event) {
        offerUndo(edited, 'Saved', `The details of ${reference} are changed.`, {
          undone: `The details of ${reference} are what they were before.`,
        });
      }
      await store.refresh();
    });
    if (!isDone) throw failure;
  }

  function makeQuote(request: RequestItem): Promise<boolean> {
    const { id, reference } = request;
    return change(request, errorToast('Not made'), async () => {
      const made = await manager.withToken(makeQuoteOfMessage, id);
      store.put(made);
      offerUndo(made, 'Quote request made', `${reference} can have files and offers now.`, {
        undone: `${reference} is a contact message again.`,
      });
      await store.refresh();
    });
  }

  return { edit, makeQuote };
}
