// The selected rows; selection.ts has the rules. A new list starts with nothing selected.
import { useEffect, useState } from 'react';
import { extendTo, keepListed, nothingSelected, toggle, toggleAll } from './selection';

export function useSelection(listed: readonly string[], address: string) {
  const [selection, setSelection] = useState(nothingSelected);
  useEffect(() => setSelection(nothingSelected), [address]);
  const ids = keepListed(selection, listed).ids;
  return {
    ids,
    select: (id: string, extend: boolean) =>
      setSelection((now) => (extend ? extendTo(now, id, listed) : toggle(now, id))),
    selectAll: () => setSelection((now) => toggleAll(now, listed)),
    clear: () => setSelection(nothingSelected),
  };
}
