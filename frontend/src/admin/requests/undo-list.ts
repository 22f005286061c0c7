// The one list of what this user can undo, newest first: moves, assignments, changes of many,
// calls, replies that have not left, deleted notes, releases, removed files.
import type { Undoable } from './undo';

export type UndoList = readonly Undoable[];

export function withChange(list: UndoList, change: Undoable): UndoList {
  return [change, ...list];
}

export function withoutChange(list: UndoList, change: Undoable): UndoList {
  return list.filter((it) => it !== change);
}

/** The newest change of each single request, for its row. A change of many is offered once only. */
export function byRequest(list: UndoList): ReadonlyMap<string, Undoable> {
  const newest = new Map<string, Undoable>();
  for (const change of list) {
    if (!change.bulk && !newest.has(change.id)) newest.set(change.id, change);
  }
  return newest;
}

/** The change of an event, as the list has it, or as the history offers it. */
export function changeOf(list: UndoList, id: string, event: number): Undoable {
  const known = list.find((change) => change.event === event);
  return known ?? { id, event, undone: 'It is as it was before.' };
}
