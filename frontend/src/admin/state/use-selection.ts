// The selected requests; selection.ts has the rules. A new list starts with nothing selected. All
// of a long list are selected by their ids, of which the list need not have the rows.
import { useEffect, useRef, useState } from 'react';
import { listIds } from '../../api/inbox';
import { toast } from '../../ui/toast';
import { type DeskUrl, filterQuery, formatDeskUrl } from '../requests/desk-url';
import { extendTo, nothingSelected, toggle, toggleAll } from '../requests/selection';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';
import type { Progress } from './use-bulk';

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
      toast({ title: 'Not selected', detail: errorMessage(error), destructive: true });
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
