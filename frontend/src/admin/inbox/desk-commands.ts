// What the dashboard's keys do. A command returns false if there is nothing for it to do; its key
// is left to the browser.

import type { RequestItem } from '../../api/inbox';
import { toast } from '../../ui/toast';
import { askForOffer } from '../offers/make-offer';
import { actionsFor, allActions, awaitsStaff, staffed } from '../requests/actions';
import { isOpen, type OutcomeName, statusText } from '../requests/format';
import { underWay } from '../state/use-change';
import { me } from '../state/use-changes';
import { type ComposerForm, type Desk, selectionConfirm } from '../state/use-desk';
import { errorToast } from '../ui/use-submit';

export type Command = keyof ReturnType<typeof commandsOf>;

/** Runs a command; one that can do nothing says why. */
export function pressedOn(desk: Desk, showHelp: () => void): (command: Command) => boolean {
  const run = commandsOf(desk, showHelp);
  return (command) => {
    if (run[command]()) return true;
    const { changes, current, currentId, openId } = desk;
    const request = current();
    const isBusy = request !== undefined && changes.busy.has(request.id);
    const text = isBusy ? '' : deadKeyText(command, request, currentId() === openId);
    if (text) toast({ title: 'Not possible here', detail: text, neutral: true });
    return false;
  };
}

function commandsOf(desk: Desk, showHelp: () => void) {
  const { actions, changes, selection, outcome, openId, currentId, current } = desk;
  const { pendingConfirm, setPendingConfirm } = desk;
  /** The request, unless another change of it runs, which is said. */
  const free = () => {
    const request = current();
    if (!request || !changes.busy.has(request.id)) return request;
    toast({ title: 'Not done', detail: underWay, neutral: true });
    return undefined;
  };

  function act(name: 'Accept' | 'Reject' | 'Complete'): boolean {
    if (selection.ids.size > 0) return actOnSelection(name);
    const request = free();
    if (request && name === 'Accept' && awaitsStaff(request)) {
      actions.confirmStaffed(request);
      return true;
    }
    const action = request && actionsFor(request).find((it) => it.name === name);
    if (!request || !action) return false;
    if (name === 'Reject' && pendingConfirm !== request.id) setPendingConfirm(request.id);
    else actions.move(request, action.to);
    return true;
  }

  function actOnSelection(name: 'Accept' | 'Reject' | 'Complete'): boolean {
    const action = allActions.find((it) => it.name === name);
    if (!action || desk.takersOf(action).length === 0) return false;
    if (name === 'Reject' && pendingConfirm !== selectionConfirm) setPendingConfirm(selectionConfirm);
    else desk.moveSelected(action);
    return true;
  }

  function actOnHeld(name: 'release' | 'discard'): boolean {
    const request = free();
    if (!request?.held || (name === 'discard' && request.status === 'cancelled')) return false;
    actions[name](request);
    return true;
  }

  function take(): boolean {
    if (selection.ids.size > 0) {
      desk.assignSelected(me);
      return true;
    }
    const request = free();
    if (request) actions.assign(request, me);
    return request !== undefined;
  }

  function write(form: ComposerForm): boolean {
    const id = currentId();
    if (id) desk.write(id, form);
    return id !== undefined;
  }

  /** Opens the form that sets a reminder; closed and held requests have none. */
  function remind(): boolean {
    const request = current();
    return request && isOpen(request) && !request.held ? write('remind') : false;
  }

  function end(choice: OutcomeName): boolean {
    if (!outcome.request) return false;
    outcome.choose(choice).catch(errorToast('Not saved'));
    return true;
  }

  return {
    next: () => desk.step(1),
    previous: () => desk.step(-1),
    accept: () => act('Accept'),
    reject: () => act('Reject'),
    complete: () => act('Complete'),
    take,
    undo: changes.undoLast,
    select: () => {
      const id = currentId();
      if (id) selection.select(id, false);
      return id !== undefined;
    },
    // A request by phone may have no address.
    reply: () => (current()?.email === '' ? false : write('reply')),
    call: () => write('call'),
    note: () => write('note'),
    edit: () => (current()?.held ? false : write('edit')),
    phone: desk.takeCall,
    remind,
    offer: () => {
      const request = current();
      if (request?.kind !== 'quote' || currentId() !== openId) return false;
      askForOffer(request.id);
      return true;
    },
    makeQuote: () => {
      const request = free();
      if (request?.kind !== 'message' || request.held) return false;
      actions.makeQuote(request);
      return true;
    },
    won: () => end('won'),
    lost: () => end('lost'),
    notCustomer: () => end('not_customer'),
    release: () => actOnHeld('release'),
    discard: () => actOnHeld('discard'),
    search: () => {
      desk.searchBox.current?.focus();
      desk.searchBox.current?.select();
      return true;
    },
    help: () => {
      showHelp();
      return true;
    },
    close: desk.close,
    letGo: desk.letGo,
  };
}

// What a key says that can do nothing here.

const moves: Partial<Record<Command, string>> = {
  accept: 'accepted',
  reject: 'rejected',
  complete: 'completed',
};

/**
 * Why a command did nothing with the open or focused request, and what to do; empty for a key that
 * has nothing to say, as at the end of the list.
 */
export function deadKeyText(command: Command, request: RequestItem | undefined, isOpened: boolean): string {
  const done = moves[command];
  switch (command) {
    case 'undo':
      return 'Nothing to undo: a change can be undone for a minute, a reply for ten seconds.';
    case 'won':
    case 'lost':
    case 'notCustomer':
      return '1, 2 and 3 answer how a request has ended, when that is asked.';
    case 'next':
    case 'previous':
    case 'close':
    case 'letGo':
      return '';
  }
  if (!request) return 'Choose a request first: j is the next one.';
  const { reference } = request;
  if (command === 'release' || command === 'discard') {
    return request.held ? `${reference} is discarded already.` : `${reference} is not held.`;
  }
  if (request.held) return `${reference} is held. Press y to release it, or d to discard it.`;
  if (done && awaitsStaff(request)) return `${reference} waits for “${staffed}”: press a.`;
  if (done) return `${reference} is ${statusText(request.status)}: it cannot be ${done}.`;
  if (command === 'reply') return `${reference} has no email address. Press f to add one.`;
  if (command === 'remind' && !isOpen(request)) {
    return `${reference} is ${statusText(request.status)}: only an open request has a reminder.`;
  }
  if (command === 'makeQuote') return `${reference} is a quote request already.`;
  if (command !== 'offer') return '';
  if (request.kind === 'quote') return isOpened ? '' : `Open ${reference} first: press Enter on it.`;
  return `${reference} is a contact message. Press q to make it a quote request, which can have offers.`;
}
