// The current request, and the ways to the others: up and down the list, from one open request to
// the next, and to the new ones.
import { type RefObject, useRef } from 'react';
import type { RowFocus } from '../list/use-row-focus';
import { type DeskUrl, navigateDesk } from '../requests/desk-url';
import { idOf } from '../requests/request-list-state';
import type { RequestListStore } from '../state/use-request-list';

type Desk = {
  url: DeskUrl;
  store: RequestListStore;
  rowFocus: RowFocus;
  panel: RefObject<HTMLElement | null>;
};

export function useWalk({ url, store, rowFocus, panel }: Desk) {
  const keepFocus = useRef(false);
  const { requests, list } = store.state;
  const openId = idOf(store.state, url.request);
  const focusInPanel = () => panel.current?.contains(document.activeElement) === true;
  const currentId = () => rowFocus.focused() ?? openId;
  const current = () => requests.get(currentId() ?? '');

  /** The request after (1) or before (-1) the current one in the list. */
  function neighbor(by: 1 | -1, from = currentId()): string | undefined {
    const ids = list?.ids ?? [];
    const at = ids.indexOf(from ?? '');
    return ids[at < 0 ? 0 : at + by];
  }

  function step(by: 1 | -1): boolean {
    const next = neighbor(by);
    if (!next) return false;
    if (!focusInPanel()) rowFocus.focus(next);
    if (url.request) {
      keepFocus.current = !focusInPanel();
      navigateDesk({ ...url, request: next }, true);
    }
    // The list goes on before its end is reached.
    if (by === 1 && neighbor(1, next) === undefined) store.loadMore();
    return true;
  }

  /** Opens a neighbor of the open request; undefined if there is none. */
  function walk(by: 1 | -1): (() => void) | undefined {
    const next = (list?.ids ?? []).includes(openId ?? '') ? neighbor(by, openId) : undefined;
    return next === undefined ? undefined : () => navigateDesk({ ...url, request: next }, true);
  }

  /** Opens a request beside the list, without giving it the focus. */
  function openBeside(id: string) {
    if (id === openId) return;
    keepFocus.current = true;
    navigateDesk({ ...url, request: id });
  }

  /** A request opened on purpose takes the focus; one passed by on the keyboard does not. */
  function takesFocus(): boolean {
    const takes = !keepFocus.current;
    keepFocus.current = false;
    return takes;
  }

  /** Loads the list again and brings the first new row into view, which takes the focus. */
  async function showNew() {
    const unseen = new Set(list?.unseen);
    const page = await store.load();
    const first = page?.requests.find(({ id }) => unseen.has(id)) ?? page?.requests[0];
    if (first === page?.requests[0]) scrollTo(0, 0);
    rowFocus.focus(first?.id);
  }

  return { openId, currentId, current, focusInPanel, step, walk, openBeside, takesFocus, showNew };
}
