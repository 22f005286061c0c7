// The choice after two people have changed the same draft.
import { Button } from '../../ui/button';

type Props = { disabled?: boolean; settle(mine: boolean): void };

export function Conflict({ disabled, settle }: Props) {
  return (
    <div className="actions">
      <Button look="line" disabled={disabled} onClick={() => settle(true)}>
        Save mine over it
      </Button>
      <Button look="line" disabled={disabled} onClick={() => settle(false)}>
        Drop mine and show theirs
      </Button>
    </div>
  );
}
