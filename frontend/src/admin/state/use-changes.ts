// Changes of requests: moves with the specification's toasts (section 8), corrections, assignment,
// reminders, outcomes, spam, merges. Each says what was done, and offers to undo it.
import { useState } from 'react';
import { hasErrorCode } from '../../api/admin-client';
import {
  type BulkResult,
  type ChangedRequest,
  type CorrectionName,
  changeRequest,
  correctRequest,
  discardRequest,
  editRequest,
  makeQuoteOfMessage,
  markAsSpam,
  mergeRequests,
  type OutcomeChange,
  type RequestItem,
  releaseRequest,
  type Status,
  separateRequest,
  setFollowUp,
  setOutcome,
} from '../../api/inbox';
import { setMessagesAside } from '../../api/mail';
import { confirmOffer } from '../../api/offers';
import { serverNow } from '../../api/server-clock';
import { toast } from '../../ui/toast';
import { shortTime } from '../requests/follow-up-times';
import { isOpen, outcomeText, personName, statusText } from '../requests/format';
import { emailDelay, type Undoable } from '../requests/undo';
import { useAuth } from '../session/provider';
import { errorMessage, errorToast, failureTitle } from '../ui/use-submit';
import { useBulk } from './use-bulk';
import { useChange } from './use-change';
import type { RequestListStore } from './use-request-list';
import { useUndo } from './use-undo';

/** The server's `assignee` for the signed-in user. */
export const me = 'me';

/** What is said of a change, and what is true again after its undo. */
type Words = Pick<Undoable, 'undone' | 'time' | 'after'> & { title: string; text: string };

/** Nothing is said where nothing was changed. */
type Say = (changed: ChangedRequest) => Words | undefined;

type Call = (token: string, id: string) => Promise<ChangedRequest>;

/** `closed` is called with a request that this user has completed or rejected. */
export function useChanges(store: RequestListStore, closed: (request: RequestItem) => void) {
  const { putMoved, put, drop, bringBack, refresh } = store;
  const { manager } = useAuth();
  const [refused, setRefused] = useState<BulkResult['refused']>([]);
  const { busy, notes, change, changeByForm } = useChange(store);
  const { undoable, offer, undo, undoEvent, undoLast } = useUndo(store, setRefused);
  const { progress, changeMany } = useBulk(store, offer, setRefused);

  function say({ id, event }: ChangedRequest, { title, text, ...rest }: Words) {
    offer(title, text, { id, event: event ?? undefined, ...rest });
  }

  /** Changes a request by a call. */
  async function run({ id }: RequestItem, call: Call, said: Say) {
    const changed = await manager.withToken(call, id);
    put(changed);
    const words = said(changed);
    if (words) say(changed, words);
  }

  /**
   * Reads the list again once a change is done. The change has ended before: the next one of the
   * same request is not dropped.
   */
  async function thenRefresh<T>(change: Promise<T>, changed?: string[]): Promise<T> {
    const done = await change;
    if (done !== false) await refresh(changed);
    return done;
  }

  /** Changes a request by a call, or says under the title that it is `not` changed. */
  function step(request: RequestItem, not: string, call: Call, said: Say) {
    return thenRefresh(change(request, errorToast(not), () => run(request, call, said)));
  }

  /** The same for a form, which it throws for. */
  function stepByForm(request: RequestItem, call: Call, said: Say): Promise<void> {
    return thenRefresh(changeByForm(request, () => run(request, call, said)));
  }

  function move(request: RequestItem, to: Status): Promise<boolean> {
    const failed = (error: unknown) => {
      const isUnknown = hasErrorCode(error, 'unanswered');
      const detail = isUnknown ? errorMessage(error) : `Failed to update ${request.kind} status.`;
      toast({ title: failureTitle(error, 'Error'), detail, destructive: true });
    };
    return change(request, failed, async () => {
      const moved = await manager.withToken(changeRequest, request.id, { status: to });
      putMoved(moved, request.status);
      const noun = request.kind === 'quote' ? 'Quote' : 'Message';
      say(moved, {
        title: 'Status Updated',
        text: `${noun} status changed to ${to}.`,
        undone: `${request.reference} is ${statusText(request.status)} again.`,
      });
      if (!isOpen(moved) && !moved.outcome) closed(moved);
    });
  }

  return {
    move,
    /** Confirms that the posts of the accepted offer of a request are staffed. */
    confirmStaffed(request: RequestItem) {
      const { id, reference, offer: accepted } = request;
      const confirmed = change(request, errorToast('Not confirmed'), async () => {
        await manager.withToken(confirmOffer, accepted?.number ?? '');
        put({ ...request, offer: accepted && { ...accepted, is_unconfirmed: false } });
        offer('Confirmed', `The posts of ${reference} are staffed.`, {
          id,
          event: undefined,
          undone: `The posts of ${reference} are to be staffed again.`,
        });
      });
      return thenRefresh(confirmed, [id]);
    },
    /** `assignee` is `me`, a user id, or null for unassigned. */
    assign: (request: RequestItem, assignee: string | null) =>
      change(request, errorToast('Not assigned'), async () => {
        const assigned = await manager.withToken(changeRequest, request.id, { assignee });
        put(assigned);
        const to = assigned.assignee ? personName(assigned.assignee) : 'nobody';
        const before = request.assignee ? personName(request.assignee) : 'nobody';
        say(assigned, {
          title: 'Assigned',
          text: `${request.reference} is assigned to ${to}.`,
          undone: `${request.reference} is assigned to ${before} again.`,
        });
      }),
    /** Reopens or withdraws a request; throws for the form. */
    correct: (request: RequestItem, correction: CorrectionName, reason: string) =>
      changeByForm(request, async () => {
        const { id, reference, status } = request;
        const corrected = await manager.withToken(correctRequest, id, correction, reason);
        putMoved(corrected, status);
        say(corrected, {
          title: correction === 'reopen' ? 'Reopened' : 'Withdrawn',
          text: `${reference} is ${statusText(corrected.status)}.`,
          undone: `${reference} is ${statusText(status)} again.`,
        });
      }),
    /** Corrects what a request says; throws for the form. */
    edit: (
      request: RequestItem,
      edited: { from: Record<string, string>; to: Record<string, string> },
    ): Promise<void> =>
      stepByForm(
        request,
        (token, id) => editRequest(token, id, edited),
        ({ reference, event }) =>
          event
            ? {
                title: 'Saved',
                text: `The details of ${reference} are changed.`,
                undone: `The details of ${reference} are what they were before.`,
              }
            : undefined,
      ),
    makeQuote: (request: RequestItem) =>
      step(request, 'Not made', makeQuoteOfMessage, ({ reference }) => ({
        title: 'Quote request made',
        text: `${reference} can have files and offers now.`,
        undone: `${reference} is a contact message again.`,
      })),
    release: (request: RequestItem) =>
      step(request, 'Not released', releaseRequest, ({ reference }) => {
        const wasMarked = request.held_reasons.some(({ signal }) => signal === 'marked');
        return {
          title: 'Released',
          text: `${reference} is in the list.${wasMarked ? '' : ' Its emails leave in ten seconds.'}`,
          undone: `${reference} is held again${wasMarked ? '' : ', and its emails do not leave'}.`,
          time: emailDelay,
        };
      }),
    discard: (request: RequestItem) =>
      step(request, 'Not discarded', discardRequest, ({ reference }) => ({
        title: 'Discarded',
        text: `${reference} is deleted with the other held requests.`,
        undone: `${reference} is held again.`,
      })),
    markSpam: (request: RequestItem) =>
      step(request, 'Not marked', markAsSpam, ({ reference }) => ({
        title: 'Marked as spam',
        text: `${reference} is held. It can be released there.`,
        undone: `${reference} is not spam.`,
      })),
    /** Reminds this user at a time; throws for the form. */
    remind: (request: RequestItem, at: string) =>
      stepByForm(
        request,
        (token, id) => setFollowUp(token, id, at),
        ({ reference }) => ({
          title: 'Reminder set',
          text: `${reference} is back at ${shortTime(at, serverNow())}.`,
          undone: `The reminder of ${reference} is what it was before.`,
        }),
      ),
    endReminder: (request: RequestItem) =>
      step(
        request,
        'Not ended',
        (token, id) => setFollowUp(token, id, null),
        ({ reference }) => ({
          title: 'Done',
          text: `The reminder of ${reference} has ended.`,
          undone: `The reminder of ${reference} is what it was before.`,
        }),
      ),
    /** Records how a request has ended; throws for the form. */
    recordOutcome: (request: RequestItem, outcome: OutcomeChange) =>
      changeByForm(request, async () => {
        const { id, reference } = request;
        const ended = await manager.withToken(setOutcome, id, outcome);
        put(ended);
        const text = ended.outcome ? outcomeText(ended.outcome, ended.outcome.value) : 'No outcome';
        say(ended, {
          title: 'Outcome saved',
          text: `${reference}: ${text}.`,
          undone: `The outcome of ${reference} is what it was before.`,
        });
      }),
    /** Records that the messages of a request need no answer. */
    setAside: (request: RequestItem) =>
      step(request, 'Not set aside', setMessagesAside, ({ reference, event }) =>
        event
          ? {
              title: 'Set aside',
              text: `${reference} needs no answer.`,
              undone: `${reference} waits for an answer again.`,
            }
          : undefined,
      ),
    /** Merges two requests; `keep` stays where both could. `done` gets the one that stays. */
    merge: (
      request: RequestItem,
      other: string,
      keep: string | undefined,
      done: (kept: RequestItem) => void,
    ) =>
      thenRefresh(
        change(request, errorToast('Not merged'), async () => {
          const kept = await manager.withToken(mergeRequests, request.id, other, keep);
          const duplicate = kept.id === request.id ? other : request.id;
          drop(duplicate);
          put(kept);
          say(kept, {
            title: 'Merged',
            text: `Both are ${kept.reference} now.`,
            undone: 'They are two requests again.',
            after() {
              bringBack(duplicate);
              done(kept);
            },
          });
          done(kept);
        }),
      ),
    separate: (request: RequestItem, duplicate: RequestItem, done: () => void) =>
      thenRefresh(
        change(request, errorToast('Not separated'), async () => {
          put(await manager.withToken(separateRequest, request.id, duplicate.id));
          toast({ title: 'Separated', detail: `${duplicate.reference} is in the list again.` });
          bringBack(duplicate.id);
          done();
        }),
      ),
    changeMany,
    offer,
    undo,
    undoEvent,
    undoLast,
    /** Ids of requests whose change is under way. */
    busy,
    /** What a row says about its last change, by id. */
    notes,
    /** Changes of the last minute, by id. */
    undoable,
    /** How far a change of many is. */
    progress,
    /** The requests that the last bulk change did not change, with reasons. */
    refused,
    clearRefused: () => setRefused([]),
  };
}
