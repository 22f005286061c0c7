// Undo: what can be undone, and its button.

import { Button } from '../../ui/button';

/** Milliseconds for which the server undoes a change. */
export const undoTime = 60_000;

/** Milliseconds until the emails of a reply or a release leave: for so long they can be undone. */
export const emailDelay = 10_000;

/** A change of one request, or with `bulk` of `count` requests at once. */
export type Undoable = {
  /** The request; of many, the first. */
  id: string;
  /** Its event in the history. */
  event: number | undefined;
  bulk?: { token: string; count: number };
  /** What is true again after the undo, as in "GP-2K7Q is pending again." */
  undone: string;
  /** For how long it can be undone, in milliseconds; a minute by default. */
  time?: number;
  /** Called after it was undone. */
  after?(): void;
};

/** Says what was done, and offers to undo it: with a button, in its row, and by the key. */
export type Offer = (title: string, text: string, change: Undoable) => void;

export function UndoButton({ change, undo }: { change: Undoable; undo(change: Undoable): void }) {
  return (
    <Button look="quiet" className="undo" onClick={() => undo(change)}>
      {change.bulk ? `Undo all ${change.bulk.count.toLocaleString('en-US')}` : 'Undo'}
    </Button>
  );
}

/** The text of a toast with an undo button. */
export function undoDetail(text: string, change: Undoable, undo: (change: Undoable) => void) {
  return (
    <>
      {text} <UndoButton change={change} undo={undo} />
    </>
  );
}

/**
 * The one list of what this user can undo, newest first: moves, assignments, changes of many,
 * calls, replies that have not left, deleted notes, releases, removed files.
 */
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
