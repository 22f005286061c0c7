// Changes of held requests, and holding one: release, discard, mark as spam.
import { discardRequest, markAsSpam, releaseRequest } from '../../api/inbox';
import type { RequestItem } from '../../api/inbox-types';
import { emailDelay } from '../requests/undo';
import { type ChangeTools, errorToast } from './use-change';

export function heldChanges({ manager, store: { put, refresh }, runner: { change }, offer }: ChangeTools) {
  function release(request: RequestItem): Promise<void> {
    return change(
      request,
      async () => {
        const released = await manager.withToken(releaseRequest, request.id);
        put(released);
        const wasMarked = request.held_reasons.some(({ signal }) => signal === 'marked');
        const emails = wasMarked ? '' : ' Its emails leave in ten seconds.';
        offer('Released', `${request.reference} is in the list.${emails}`, {
          id: request.id,
          event: released.event ?? undefined,
          undone: `${request.reference} is held again${wasMarked ? '' : ', and its emails do not leave'}.`,
          time: emailDelay,
        });
        await refresh();
      },
      errorToast('Not released'),
    );
  }

  function discard(request: RequestItem): Promise<void> {
    return change(
      request,
      async () => {
        const discarded = await manager.withToken(discardRequest, request.id);
        put(discarded);
        offer('Discarded', `${request.reference} is deleted with the other held requests.`, {
          id: request.id,
          event: discarded.event ?? undefined,
          undone: `${request.reference} is held again.`,
        });
        await refresh();
      },
      errorToast('Not discarded'),
    );
  }

  function markSpam(request: RequestItem): Promise<void> {
    return change(
      request,
      async () => {
        const marked = await manager.withToken(markAsSpam, request.id);
        put(marked);
        offer('Marked as spam', `${request.reference} is held. It can be released there.`, {
          id: request.id,
          event: marked.event ?? undefined,
          undone: `${request.reference} is not spam.`,
        });
        await refresh();
      },
      errorToast('Not marked'),
    );
  }

  return { release, discard, markSpam };
}
