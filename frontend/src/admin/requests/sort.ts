// The orders of a list, as the API names them: `due`, or `-due` for the other direction.

/** Each with its name in a chip and in the form of filters. */
export const sorts = [
  ['-received', 'Newest first'],
  ['received', 'Oldest first'],
  ['due', 'Due soonest first'],
  ['-due', 'Due latest first'],
  ['start', 'Earliest start first'],
  ['-start', 'Latest start first'],
  ['-value', 'Highest value first'],
  ['value', 'Lowest value first'],
] as const;

export type Sort = (typeof sorts)[number][0];

/** The columns that a list is sorted by, with the order of the first press. */
export type SortColumn = 'due' | 'start' | '-value';

export function isSort(text: string): text is Sort {
  return sorts.some(([sort]) => sort === text);
}

export function sortText(sort: string): string {
  return sorts.find(([known]) => known === sort)?.[1] ?? sort;
}

/** The order after a press of a column's name: its first one, the other way, that of the view. */
export function nextSort(now: string | undefined, column: SortColumn): Sort | '' {
  if (now === column) return otherWay(column);
  return now === otherWay(column) ? '' : column;
}

function otherWay(column: SortColumn): Sort {
  return column === '-value' ? 'value' : `-${column}`;
}

/** How the list is sorted by a column, as `aria-sort` says it. */
export function ariaSort(now: string | undefined, column: SortColumn): 'ascending' | 'descending' | 'none' {
  if (now !== column && now !== otherWay(column)) return 'none';
  return now.startsWith('-') ? 'descending' : 'ascending';
}
