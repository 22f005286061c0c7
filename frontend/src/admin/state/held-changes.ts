// Changes of held requests, and holding one: release, discard, mark as spam.

import type { RequestItem } from '../../api/inbox';
import { discardRequest, markAsSpam, releaseRequest } from '../../api/inbox';
import { emailDelay } from '../requests/undo';
import { type ChangeTools, errorToast } from './use-change';

export function heldChanges({
  manager,
  store: { put, refresh },
  runner: { change },
  offerUndo,
}: ChangeTools) {
  function release(request: RequestItem): Promise<boolean> {
    const { id, reference } = request;
    return change(request, errorToast('Not released'), async () => {
      const released = await manager.withToken(releaseRequest, id);
      put(released);
      const wasMarked = request.held_reasons.some(({ signal }) => signal === 'marked');
      const emails = wasMarked ? '' : ' Its emails leave in ten seconds.';
      offerUndo(released, 'Released', `${reference} is in the list.${emails}`, {
        undone: `${reference} is held again${wasMarked ? '' : ', and its emails do not leave'}.`,
        time: emailDelay,
      });
      await refresh();
    });
  }

  function discard(request: RequestItem): Promise<boolean> {
    const { id, reference } = request;
    return change(request, errorToast('Not discarded'), async () => {
      const discarded = await manager.withToken(discardRequest, id);
      put(discarded);
      offerUndo(discarded, 'Discarded', `${reference} is deleted with the other held requests.`, {
        undone: `${reference} is held again.`,
      });
      await refresh();
    });
  }

  function markSpam(request: RequestItem): Promise<boolean> {
    const { id, reference } = request;
    return change(request, errorToast('Not marked'), async () => {
      const marked = await manager.withToken(markAsSpam, id);
      put(marked);
      offerUndo(marked, 'Marked as spam', `${reference} is held. It can be released there.`, {
        undone: `${reference} is not spam.`,
      });
      await refresh();
    });
  }

  return { release, discard, markSpam };
}
