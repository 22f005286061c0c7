// Corrections of what a request says, and of its kind.
import { editRequest, makeQuoteOfMessage } from '../../api/inbox';
import type { RequestItem } from '../../api/inbox-types';
import { type ChangeTools, errorToast } from './use-change';

export function editChanges({ manager, store, runner: { change }, offerUndo }: ChangeTools) {
  /** Throws the error of a refused edit, for its form. */
  async function edit(
    request: RequestItem,
    changes: { from: Record<string, string>; to: Record<string, string> },
  ): Promise<void> {
    const { id, reference } = request;
    let failure: unknown = new Error('Another change of this request is under way. Save it again.');
    const failed = (error: unknown) => {
      failure = error;
    };
    await change(request, failed, async () => {
      const edited = await manager.withToken(editRequest, id, changes);
      failure = undefined;
      store.put(edited);
      if (edited.event) {
        offerUndo(edited, 'Saved', `The details of ${reference} are changed.`, {
          undone: `The details of ${reference} are what they were before.`,
        });
      }
      await store.refresh();
    });
    if (failure) throw failure;
  }

  function makeQuote(request: RequestItem): Promise<void> {
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
