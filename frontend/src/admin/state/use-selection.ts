// The selected requests; selection.ts has the rules. A new list starts with nothing selected. All
// of a long list are selected by their ids, of which the list need not have the rows.

import { useEffect, useRef, useState } from 'react';
import { listIds } from '../../api/inbox';
import { type DeskUrl, filterQuery, formatDeskUrl } from '../requests/desk-url';
import { useAuth } from '../session/provider';
import { errorToast } from '../ui/use-submit';

export type Progress = { done: number; total: number };

/** `complete`: the list has all of its rows; `total` is how many there are, if known. */
type Listed = { ids: readonly string[]; complete: boolean; total: number | undefined };

export function useSelection(url: DeskUrl, listed: Listed) {
  const { manager } = useAuth();
  const [selection, setSelection] = useState(nothingSelected);
  const [progress, setProgress] = useState<Progress>();
  const round = useRef(0);
  const address = formatDeskUrl({ ...url, request: undefined });
  useEffect(() => {
    setSelection(nothingSelected);
    return () => {
      round.current += 1;
      setProgress(undefined);
    };
  }, [address]);

  async function selectAll() {
    if (listed.complete) return setSelection((now) => toggleAll(now, listed.ids));
    if (selection.ids.size >= (listed.total ?? Number.POSITIVE_INFINITY))
      return setSelection(nothingSelected);
    const mine = round.current;
    const all: string[] = [];
    let cursor = '';
    try {
      do {
        setProgress({ done: all.length, total: listed.total ?? all.length });
        const query = { ...filterQuery(url), ...(cursor ? { cursor } : {}) };
        const page = await manager.withToken(listIds, query);
        if (mine !== round.current) return;
        all.push(...page.ids);
        cursor = page.next_cursor ?? '';
      } while (cursor);
      setSelection({ ids: new Set(all), anchor: undefined });
    } catch (error) {
      errorToast('Not selected')(error);
    } finally {
      if (mine === round.current) setProgress(undefined);
    }
  }

  return {
    ids: selection.ids,
    /** How many ids were read, while all are being selected. */
    progress,
    select: (id: string, extend: boolean) =>
      setSelection((now) => (extend ? extendTo(now, id, listed.ids) : toggle(now, id))),
    selectAll,
    clear: () => setSelection(nothingSelected),
  };
}

// Which requests are selected for a change of many: pure rules of click, shift-click and `x`.

type Selection = {
  ids: ReadonlySet<string>;
  /** The row from which shift-click extends. */
  anchor: string | undefined;
};

export const nothingSelected: Selection = { ids: new Set(), anchor: undefined };

/** The server's limit of requests per change: more are changed in parts. */
const partSize = 500;

/** What is changed at once, part by part. */
export function inParts(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < ids.length; at += partSize) parts.push(ids.slice(at, at + partSize));
  return parts;
}

/** Selects or unselects one row. */
export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Selects all rows between the anchor and this one, as listed. */
export function extendTo(selection: Selection, id: string, listed: readonly string[]): Selection {
  const from = listed.indexOf(selection.anchor ?? '');
  const to = listed.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const between = listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...between]), anchor: selection.anchor };
}

/** Selects all of these, or nothing if all are selected. */
export function toggleAll({ ids }: Selection, all: readonly string[]): Selection {
  return all.every((id) => ids.has(id)) ? nothingSelected : { ids: new Set(all), anchor: undefined };
}
