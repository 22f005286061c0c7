// What the dashboard's keys do. A command returns false if there is nothing for it to do; its key
// is left to the browser.
import { type RefObject, useRef } from 'react';
import type { RequestChange, RequestItem, Status } from '../../api/inbox';
import { toast } from '../../ui/toast';
import { activeFilters } from '../filters/filter-form';
import type { Outcome } from '../follow-up/outcome-prompt';
import { focusIsLost, type RowFocus } from '../list/use-row-focus';
import { askForOffer } from '../offers/make-offer';
import type { ComposerForm } from '../panel/composer';
import { type Action, actionsFor, allActions, awaitsStaff } from '../requests/action-buttons';
import { type DeskUrl, leaveRequest, navigateDesk, withFilters } from '../requests/desk-url';
import { isOpen } from '../requests/format';
import type { OutcomeName } from '../requests/outcome-text';
import { type Changes, me } from '../state/use-changes';
import type { RequestListStore } from '../state/use-request-list';
import type { useSelection } from '../state/use-selection';
import { deadKeyText } from './dead-keys';
import type { Command } from './shortcuts';
import { useWalk } from './use-walk';

/** In place of a request's id: the key waits for its second press for all selected requests. */
export const selectionConfirm = 'selection';

/** What the commands act on: the list, the open request, and the parts that can have the focus. */
type Desk = {
  url: DeskUrl;
  store: RequestListStore;
  changes: Changes;
  selection: ReturnType<typeof useSelection>;
  rowFocus: RowFocus;
  panel: RefObject<HTMLElement | null>;
  panelHeading: RefObject<HTMLHeadingElement | null>;
  searchBox: RefObject<HTMLInputElement | null>;
  pendingConfirm: string | undefined;
  setPendingConfirm(id: string | undefined): void;
  /** Whether a form of the open request is open. */
  formOpen: boolean;
  setComposer(composer: { request: string; form: ComposerForm } | undefined): void;
  showHelp(): void;
  /** Whether the form of a request by phone is open. */
  phoneOpen: boolean;
  setPhone(open: boolean): void;
  outcome: Outcome;
};

export function useDeskCommands(desk: Desk) {
  const { url, store, changes, selection, rowFocus, pendingConfirm, setPendingConfirm } = desk;
  const { list, requests } = store.state;
  /** The request that had the focus before the form of a request by phone. */
  const before = useRef<string>(undefined);
  const { openId, currentId, current, focusInPanel, step, openBeside, ...walking } = useWalk(desk);

  /**
   * Runs a change; the button that was pressed may be gone then: the focus stays with its request.
   */
  async function keepingFocus(request: RequestItem, change: () => Promise<unknown>) {
    setPendingConfirm(undefined);
    const inPanel = focusInPanel();
    const ids = list?.ids ?? [];
    const below = ids[ids.indexOf(request.id) + 1] ?? ids[ids.indexOf(request.id) - 1];
    await change();
    if (!focusIsLost()) return;
    if (inPanel) desk.panelHeading.current?.focus();
    else rowFocus.focus(rowFocus.rows.current?.has(request.id) ? request.id : below);
  }

  const move = (request: RequestItem, to: Status) => keepingFocus(request, () => changes.move(request, to));
  const confirmStaffed = (request: RequestItem) =>
    keepingFocus(request, () => changes.confirmStaffed(request));
  const release = (request: RequestItem) => keepingFocus(request, () => changes.release(request));
  const assign = (request: RequestItem, assignee: string | null) =>
    keepingFocus(request, () => changes.assign(request, assignee));
  const discard = (request: RequestItem) =>
    keepingFocus(request, async () => {
      if (await changes.discard(request)) leaveRequest(request);
    });

  /**
   * Of the selected requests, those that can take an action; one that was not read yet is among
   * them.
   */
  const takersOf = ({ name }: Action) =>
    [...selection.ids].filter((id) => {
      const request = requests.get(id);
      return !request || actionsFor(request).some((it) => it.name === name);
    });

  /** What was done is no longer selected; where something was refused, all of it stays. */
  async function changeSelected(ids: string[], change: RequestChange) {
    setPendingConfirm(undefined);
    if (await changes.changeMany(ids, change)) selection.clear();
  }

  const moveSelected = (action: Action) => changeSelected(takersOf(action), { status: action.to });
  const assignSelected = (assignee: string | null) => changeSelected([...selection.ids], { assignee });

  function act(name: 'Accept' | 'Reject' | 'Complete'): boolean {
    if (selection.ids.size > 0) return actOnSelection(name);
    const request = current();
    if (request && name === 'Accept' && awaitsStaff(request) && !changes.busy.has(request.id)) {
      confirmStaffed(request);
      return true;
    }
    const action = request && actionsFor(request).find((it) => it.name === name);
    if (!request || !action || changes.busy.has(request.id)) return false;
    if (name === 'Reject' && pendingConfirm !== request.id) setPendingConfirm(request.id);
    else move(request, action.to);
    return true;
  }

  function actOnSelection(name: 'Accept' | 'Reject' | 'Complete'): boolean {
    const action = allActions.find((it) => it.name === name);
    if (!action || takersOf(action).length === 0) return false;
    if (name === 'Reject' && pendingConfirm !== selectionConfirm) setPendingConfirm(selectionConfirm);
    else moveSelected(action);
    return true;
  }

  function actOnHeld(name: 'release' | 'discard'): boolean {
    const request = current();
    if (!request?.held || changes.busy.has(request.id)) return false;
    if (name === 'release') release(request);
    else if (request.status !== 'cancelled') discard(request);
    else return false;
    return true;
  }

  function take(): boolean {
    const request = current();
    if (selection.ids.size > 0) assignSelected(me);
    else if (request && !changes.busy.has(request.id)) assign(request, me);
    else return false;
    return true;
  }

  function write(form: ComposerForm): boolean {
    const id = currentId();
    if (!id) return false;
    desk.setComposer({ request: id, form });
    openBeside(id);
    return true;
  }

  /** Opens the form of a request by phone, in the place of the open request. */
  function takeCall(): boolean {
    before.current = rowFocus.focused() ?? openId;
    if (url.request) navigateDesk({ ...url, request: undefined });
    desk.setPhone(true);
    return true;
  }

  /** Closes it; what was typed is kept. */
  function closePhone() {
    desk.setPhone(false);
    requestAnimationFrame(() => rowFocus.focus(rowFocus.focused() ?? before.current ?? list?.ids[0]));
  }

  /** Opens the form that sets a reminder; closed and held requests have none. */
  function remind(): boolean {
    const request = current();
    return request && isOpen(request) && !request.held ? write('remind') : false;
  }

  function end(choice: OutcomeName): boolean {
    if (!desk.outcome.request) return false;
    desk.outcome.choose(choice);
    return true;
  }

  /**
   * Closes the form, then the request, then the selection, then takes the last filter away. The
   * question for the outcome is skipped
   * with any of them; once it is answered, it is the form that is closed.
   */
  function close(): boolean {
    if (desk.phoneOpen) {
      closePhone();
      return true;
    }
    const { request: asked, choice, skip } = desk.outcome;
    if (asked) skip();
    if (asked && choice) {
      if (asked.id === openId) desk.panelHeading.current?.focus();
      else rowFocus.focus(asked.id);
      return true;
    }
    if (desk.formOpen) {
      desk.setComposer(undefined);
      desk.panelHeading.current?.focus();
      return true;
    }
    if (!url.request && selection.ids.size > 0) {
      selection.clear();
      return true;
    }
    if (!url.request) {
      const last = activeFilters(url.filters).at(-1);
      if (last) navigateDesk(withFilters(url, { [last]: '' }));
      return last !== undefined;
    }
    navigateDesk({ ...url, request: undefined });
    requestAnimationFrame(() => rowFocus.focus(openId));
    return true;
  }

  /** The focus returns from a control to the request that it belongs to. */
  function letGo(): boolean {
    if (focusInPanel()) desk.panelHeading.current?.focus();
    else rowFocus.focus(openId ?? list?.ids[0]);
    return true;
  }

  const run: Record<Command, () => boolean> = {
    next: () => step(1),
    previous: () => step(-1),
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
    phone: takeCall,
    remind,
    offer: () => {
      const request = current();
      if (request?.kind !== 'quote' || currentId() !== openId) return false;
      askForOffer(request.id);
      return true;
    },
    makeQuote: () => {
      const request = current();
      if (request?.kind !== 'message' || request.held || changes.busy.has(request.id)) return false;
      keepingFocus(request, () => changes.makeQuote(request));
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
      desk.showHelp();
      return true;
    },
    close,
    letGo,
  };

  /** Runs a command; one that can do nothing says why. */
  function press(command: Command): boolean {
    if (run[command]()) return true;
    const request = current();
    const isBusy = request !== undefined && changes.busy.has(request.id);
    const text = isBusy ? '' : deadKeyText(command, request, currentId() === openId);
    if (text) toast({ title: 'Not possible here', detail: text, neutral: true });
    return false;
  }

  return {
    ...walking,
    run,
    press,
    move,
    confirmStaffed,
    assign,
    release,
    discard,
    takersOf,
    moveSelected,
    assignSelected,
    close,
    takeCall,
    closePhone,
  };
}
