// The ways from one request to the others: up and down the list, from one open request to the
// next, and to the new ones.
import { useRef } from 'react';
import { type DeskUrl, navigateDesk } from '../requests/desk-url';
import type { RequestListStore } from './use-request-list';
import type { RowFocus } from './use-row-focus';

type Desk = {
  url: DeskUrl;
  store: RequestListStore;
  rowFocus: RowFocus;
  openId: string | undefined;
  focusInPanel(): boolean;
};

export function useWalk({ url, store, rowFocus, openId, focusInPanel }: Desk) {
  const keepFocus = useRef(false);
  const { list } = store.state;

  /** The request after (1) or before (-1) the current one in the list. */
  function neighbor(by: 1 | -1, from = rowFocus.focused() ?? openId): string | undefined {
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

  return { step, walk, openBeside, takesFocus, showNew };
}
