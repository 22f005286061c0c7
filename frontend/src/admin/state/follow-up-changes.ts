// Reminders, messages that need no answer, and how requests have ended.

import type { OutcomeChange, RequestItem } from '../../api/inbox';
import { setFollowUp, setOutcome } from '../../api/inbox';
import { setMessagesAside } from '../../api/mail';
import { serverNow } from '../../api/server-clock';
import { toast } from '../../ui/toast';
import { shortTime } from '../requests/follow-up-times';
import { outcomeText } from '../requests/outcome-text';
import { type ChangeTools, errorToast } from './use-change';

export function followUpChanges({ manager, store, runner, offerUndo }: ChangeTools) {
  const { change, changeByForm } = runner;
  const { put, refresh } = store;

  /** Reminds this user at a time, or with null never; returns an error, or an empty text. */
  async function remind(request: RequestItem, at: string | null): Promise<string> {
    const { id, reference } = request;
    const failure = await changeByForm(request, async () => {
      const changed = await manager.withToken(setFollowUp, id, at);
      put(changed);
      const text = at
        ? `${reference} is back at ${shortTime(at, serverNow())}.`
        : `The reminder of ${reference} has ended.`;
      offerUndo(changed, at ? 'Reminder set' : 'Done', text, {
        undone: `The reminder of ${reference} is what it was before.`,
      });
      await refresh();
    });
    if (failure && !at) toast({ title: 'Not ended', detail: failure, destructive: true });
    return failure;
  }

  /** Records how a request has ended; returns an error, or an empty text. */
  function recordOutcome(request: RequestItem, outcome: OutcomeChange): Promise<string> {
    const { id, reference } = request;
    return changeByForm(request, async () => {
      const ended = await manager.withToken(setOutcome, id, outcome);
      put(ended);
      const text = ended.outcome ? outcomeText(ended.outcome, ended.outcome.value) : 'No outcome';
      offerUndo(ended, 'Outcome saved', `${reference}: ${text}.`, {
        undone: `The outcome of ${reference} is what it was before.`,
      });
    });
  }

  /** Records that the messages of a request need no answer. */
  function setAside(request: RequestItem): Promise<boolean> {
    const { id, reference } = request;
    return change(request, errorToast('Not set aside'), async () => {
      const changed = await manager.withToken(setMessagesAside, id);
      put(changed);
      if (changed.event) {
        offerUndo(changed, 'Set aside', `${reference} needs no answer.`, {
          undone: `${reference} waits for an answer again.`,
        });
      }
      await refresh();
    });
  }

  return { remind, recordOutcome, setAside };
}
