// Which requests are selected for a change of many: pure rules of click, shift-click and `x`.

export type Selection = {
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
