// Parts of the offer editor: the choice after a conflict, and the way to the first message.
import { Button } from '../../ui/button';

/** Two people have changed the same draft. */
export function Conflict({ settle }: { settle(mine: boolean): void }) {
  return (
    <div className="actions">
      <Button look="line" onClick={() => settle(true)}>
        Save mine over it
      </Button>
      <Button look="line" onClick={() => settle(false)}>
        Drop mine and show theirs
      </Button>
    </div>
  );
}

/** Moves the focus to the first field with a message, and opens the part that hides it. */
export function focusFault(box: HTMLElement | null) {
  const field = box?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]');
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}
