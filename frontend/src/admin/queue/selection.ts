// Which requests are selected for a change of many: pure rules of click, shift-click and `x`.

export type Selection = {
  ids: ReadonlySet<string>;
  /** The row from which shift-click extends. */
  anchor: string | undefined;
};

export const nothingSelected: Selection = { ids: new Set(), anchor: undefined };

/** The server's limit of requests per change. */
export const maxSelected = 500;

/** Selects or unselects one row. */
export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id) && next.size < maxSelected) next.add(id);
  return { ids: next, anchor: id };
}

/** Selects all rows between the anchor and this one, as listed. */
export function extendTo(selection: Selection, id: string, listed: readonly string[]): Selection {
  const from = listed.indexOf(selection.anchor ?? '');
  const to = listed.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const between = listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: limited([...selection.ids, ...between]), anchor: selection.anchor };
}

/** Selects every row of the list, or nothing if all are selected. */
export function toggleAll({ ids }: Selection, listed: readonly string[]): Selection {
  const all = limited(listed);
  return [...all].every((id) => ids.has(id)) ? nothingSelected : { ids: all, anchor: undefined };
}

/** Without the rows that are listed no more. */
export function keepListed({ ids, anchor }: Selection, listed: readonly string[]): Selection {
  const known = new Set(listed);
  return { ids: new Set([...ids].filter((id) => known.has(id))), anchor };
}

function limited(ids: readonly string[]): ReadonlySet<string> {
  return new Set([...new Set(ids)].slice(0, maxSelected));
}
