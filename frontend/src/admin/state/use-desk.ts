// The store of the dashboard: what it shows, and what can be done there. Its components read what
// they need of it, and its keys run the same actions.
import { useEffect, useRef, useState } from 'react';
import type { RequestChange, RequestItem, Status, VisitorData } from '../../api/inbox';
import { usePresence } from '../live/live-provider';
import { type Action, actionsFor } from '../requests/actions';
import {
  activeFilters,
  type DeskUrl,
  formatDeskUrl,
  leaveRequest,
  navigateDesk,
  parseDeskUrl,
  withFilters,
} from '../requests/desk-url';
import { idOf, totalCount } from '../requests/request-list-state';
import { filledContext } from '../ui/filled-context';
import { useNow } from '../ui/use-polling';
import { useStable } from '../ui/use-stable';
import { useChanges } from './use-changes';
import { useOpenRequest } from './use-open-request';
import { useOutcome } from './use-outcome';
import { useRequestList } from './use-request-list';
import { focusIsLost, useRowFocus } from './use-row-focus';
import { useSelection } from './use-selection';
import { usePeople } from './use-system';
import { useWalk } from './use-walk';

/** In place of a request's id: the key waits for its second press for all selected requests. */
export const selectionConfirm = 'selection';

/** Milliseconds for which it waits. */
const confirmTimeout = 4000;

/** The forms of the open request, each with its key. `edit` is in the place of what it corrects. */
export type ComposerForm = 'reply' | 'call' | 'note' | 'remind' | 'edit';

export type Desk = ReturnType<typeof useDeskStore>;

export const [DeskProvider, useDesk] = filledContext<Desk>('DeskProvider');

/** What can be done with a request; a component that reads only this is not drawn again. */
export const [ActionsProvider, useActions] = filledContext<Desk['actions']>('ActionsProvider');

export function useDeskStore(url: DeskUrl) {
  const store = useRequestList(url);
  const { requests, list } = store.state;
  const openId = idOf(store.state, url.request);
  const open = useOpenRequest(url.request, requests.get(openId ?? ''), store);
  const outcome = useOutcome(requests, (...ended) => changes.recordOutcome(...ended));
  const changes = useChanges(store, ({ id }) => outcome.ask(id));
  const people = usePeople();
  const now = useNow();
  const total =
    list && (url.filters.status ? list.counts[url.filters.status as Status] : totalCount(list.counts));
  const selection = useSelection(url, {
    ids: list?.ids ?? [],
    complete: list?.nextCursor === null,
    total: list?.countsAtLeast ? undefined : total,
  });
  const rowFocus = useRowFocus();
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const [composer, setComposer] = useState<{ request: string; form: ComposerForm }>();
  const form = composer?.request === openId ? composer?.form : undefined;
  const [phone, setPhone] = useState(false);
  // A request that is opened takes the place of the form, whose text is kept.
  const phoneOpen = phone && !url.request;
  /** The request that had the focus before the form of a request by phone. */
  const before = useRef<string>(undefined);
  const [erased, setErased] = useState<VisitorData>();
  const [pendingConfirm, setPendingConfirm] = useState<string>();
  useEffect(() => {
    if (!pendingConfirm) return;
    const timer = setTimeout(setPendingConfirm, confirmTimeout, undefined);
    return () => clearTimeout(timer);
  }, [pendingConfirm]);
  const others = usePresence({ request: open.request?.id, replying: form === 'reply' });
  const focusInPanel = () => panel.current?.contains(document.activeElement) === true;
  const focusHeading = () => heading.current?.focus();
  const currentId = () => rowFocus.focused() ?? openId;
  const hrefOf = (id: string) => formatDeskUrl({ ...url, request: id });
  const { step, walk, openBeside, takesFocus, showNew } = useWalk({
    url,
    store,
    rowFocus,
    openId,
    focusInPanel,
  });

  /** Opens a form of a request, beside the list, without giving the request the focus. */
  function write(id: string, form: ComposerForm) {
    setComposer({ request: id, form });
    openBeside(id);
  }

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
    if (inPanel) focusHeading();
    else rowFocus.focus(rowFocus.rows.current?.has(request.id) ? request.id : below);
  }

  const actions = useStable({
    select: selection.select,
    offer: changes.offer,
    undo: changes.undo,
    move: (request: RequestItem, to: Status) => keepingFocus(request, () => changes.move(request, to)),
    confirmStaffed: (request: RequestItem) => keepingFocus(request, () => changes.confirmStaffed(request)),
    release: (request: RequestItem) => keepingFocus(request, () => changes.release(request)),
    discard: (request: RequestItem) =>
      keepingFocus(request, async () => {
        if (await changes.discard(request)) leaveRequest(request);
      }),
    makeQuote: (request: RequestItem) => keepingFocus(request, () => changes.makeQuote(request)),
    /** `assignee` is `me`, a user id, or null for unassigned. */
    assign: (request: RequestItem, assignee: string | null) =>
      keepingFocus(request, () => changes.assign(request, assignee)),
    merge: (request: RequestItem, other: string, keep?: string) =>
      changes.merge(request, other, keep, (kept) => {
        leaveRequest(request, kept.id);
        open.reload();
      }),
    undoEvent: async (event: number) => {
      if (openId) await changes.undoEvent(openId, event);
      open.reload();
    },
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

  /** Opens the form of a request by phone, in the place of the open request. */
  function takeCall(): boolean {
    before.current = rowFocus.focused() ?? openId;
    if (url.request) navigateDesk({ ...url, request: undefined });
    setPhone(true);
    return true;
  }

  /** Closes it; what was typed is kept. */
  function closePhone(): boolean {
    setPhone(false);
    requestAnimationFrame(() => rowFocus.focus(rowFocus.focused() ?? before.current ?? list?.ids[0]));
    return true;
  }

  /** A request by phone was stored. Opening it would end its alarm. */
  function phoneStored({ id, assignee }: RequestItem) {
    setPhone(false);
    const here = parseDeskUrl(location.search);
    if (assignee && !here.request) navigateDesk({ ...here, request: id });
    store.load();
  }

  /** The person of the open request was erased. */
  function showErased(data: VisitorData) {
    setErased(data);
    if (open.request) leaveRequest(open.request);
    store.load();
  }

  /** Takes the focus to a request: its row, or the panel if it is open. */
  function focusRequest(id: string) {
    if (id === openId) focusHeading();
    else rowFocus.focus(id);
  }

  /**
   * Closes the form, then the request, then the selection, then takes the last filter away. The
   * question for the outcome is skipped with any of them; once it is answered, it is the form that
   * is closed.
   */
  function close(): boolean {
    if (phoneOpen) return closePhone();
    const { request: asked, choice, skip } = outcome;
    if (asked) skip();
    if (asked && choice) {
      focusRequest(asked.id);
      return true;
    }
    if (form) {
      setComposer(undefined);
      focusHeading();
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
    if (focusInPanel()) focusHeading();
    else rowFocus.focus(openId ?? list?.ids[0]);
    return true;
  }

  return {
    url,
    store,
    open,
    openId,
    outcome,
    changes,
    people,
    now,
    total,
    selection,
    rowFocus,
    panel,
    heading,
    searchBox,
    form,
    phoneOpen,
    erased,
    pendingConfirm,
    setPendingConfirm,
    others,
    actions,
    /** How far a change or a selection of many is. */
    progress:
      (changes.progress && { doing: 'Changing', ...changes.progress }) ??
      (selection.progress && { doing: 'Selecting', ...selection.progress }),
    currentId,
    current: () => requests.get(currentId() ?? ''),
    hrefOf,
    step,
    walk,
    write,
    takesFocus,
    showNew,
    focusHeading,
    focusRequest,
    openForm: (form: ComposerForm) => openId && setComposer({ request: openId, form }),
    /** Closes this form; called also when its call ends after another request was opened. */
    closeForm: (form: ComposerForm) =>
      setComposer((now) => (now?.request === openId && now?.form === form ? undefined : now)),
    takersOf,
    moveSelected: (action: Action) => changeSelected(takersOf(action), { status: action.to }),
    assignSelected: (assignee: string | null) => changeSelected([...selection.ids], { assignee }),
    takeCall,
    closePhone,
    phoneStored,
    showErased,
    hideErased: () => setErased(undefined),
    close,
    letGo,
  };
}
