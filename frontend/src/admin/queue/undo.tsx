// Undo: what can be undone for a minute, and its button.
import { Button } from '../../ui/button';

/** Milliseconds for which the server undoes a change. */
export const undoTime = 60_000;

/**
 * A change of one request (its last, or the named event), or with `bulk` of `count` requests at
 * once.
 */
export type Undoable = { id: string; event?: number; bulk?: { token: string; count: number } };

export function UndoButton({ change, undo }: { change: Undoable; undo(change: Undoable): void }) {
  return (
    <Button look="quiet" className="undo" onClick={() => undo(change)}>
      {change.bulk ? `Undo all ${change.bulk.count}` : 'Undo'}
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
